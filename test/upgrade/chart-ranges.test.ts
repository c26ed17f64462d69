import { describe, expect, test } from 'vitest'
import { helmSuffix } from '../../src/upgrade/chart-kubernetes.ts'
import { type ChartRelease, chartRows } from '../../src/upgrade/chart-ranges.ts'
import { readRanges, toRows, withoutBroken } from '../../src/upgrade/compatibility.ts'
import { UpgradeFacts } from '../../src/upgrade/facts.ts'

const release = (version: string, kubeVersion: string, more: Partial<ChartRelease> = {}): ChartRelease => ({
  slug: 'shop',
  chart: 'shop',
  version,
  appVersion: `v${version}`,
  kubeVersion,
  source: 'https://charts.example',
  day: '2026-08-20',
  ...more,
})
const rowsFrom = (releases: ChartRelease[], lines: string[] = []) => chartRows(releases, () => lines)
const bounds = (range: string) =>
  rowsFrom([release('1.0.0', range)], ['1.0']).map(({ kubernetes_min: min, kubernetes_max: max }) => [min, max])

describe('the range of a chart', () => {
  test.each([
    ['>=1.21.0-0,<1.35.0-0', '1.21', '1.34'],
    ['~1.25-0', '1.25', '1.25'],
    ['>=1.30.0-0 <=1.33.x-0', '1.30', '1.33'],
    ['>= 1.19', '1.19', null],
    ['< 1.36.0-0', null, '1.35'],
    ['^1.28.0-0', '1.28', null],
    ['1.30.x || 1.32.x', '1.30', '1.32'],
    ['>=1.33.7', '1.33', null],
    ['!=1.20.1', null, null],
  ])('%s is %s to %s', (range, min, max) => {
    expect(bounds(range)).toEqual([[min, max]])
  })

  test('says nothing where Helm cannot read it, or no Kubernetes is in it', () => {
    expect([bounds('soon'), bounds('>=2.0.0'), bounds('')]).toEqual([[], [], []])
  })

  test('is that of the newest release of each line of the application', () => {
    const releases = [
      release('9.9.0', '<1.34.0-0', { appVersion: '1.2.0' }),
      release('9.10.0', '<1.35.0-0', { appVersion: '1.2.3' }),
      release('10.0.0', '<1.36.0-0', { appVersion: '1.3.0' }),
      release('10.1.0', '<1.30.0-0', { appVersion: 'latest' }),
    ]
    expect(rowsFrom(releases).map(({ line, kubernetes_max, chart }) => [line, kubernetes_max, chart?.version])).toEqual(
      [
        ['1.2', '1.34', '9.10.0'],
        ['1.3', '1.35', '10.0.0'],
      ],
    )
  })

  test('that states an old minimum alone makes no part of what nothing else ties to Kubernetes', () => {
    expect(rowsFrom([release('1.0.0', '>=1.19.0-0')])).toEqual([])
    expect(rowsFrom([release('1.0.0', '>=1.19.0-0')], ['1.0'])).toHaveLength(1)
  })

  test('takes the place of an older one of the same chart, and one of another chart counts where that runs', () => {
    const about = { slug: 'shop', line: '1.0', kind: 'required' as const, source: 'https://shop.example' }
    const bundled = { ...about, kubernetes_min: null, kubernetes_max: '1.33', as_of: '2026-01-01' }
    const releases = [release('1.0.0', '<1.36.0-0'), release('1.0.0', '<1.35.0-0', { chart: 'shop-agent' })]
    const compatibility = [bundled, ...rowsFrom(releases, ['1.0'])]
    const facts = new UpgradeFacts({ compatibility, removals: [], breaking: [], skew: [], components: [] })
    const word = (minor: string, charts?: string[]) => {
      const rows = toRows(facts, { slug: 'shop', ...(charts && { charts }) }, { segments: ['1', '0', '0'] })
      return readRanges(rows, minor, { newestOn: () => '1.36' }).word
    }
    expect(['1.34', '1.35', '1.36'].map((minor) => word(minor))).toEqual(['ok', 'ok', 'no'])
    expect(word('1.35', ['shop', 'shop-agent'])).toBe('no')
  })
})

describe('a cluster whose versions have a suffix', () => {
  const rows = (range: string) => rowsFrom([release('1.0.0', range)], ['1.0'])
  test.each([
    // EKS 1.34 is below 1.35.0-0, as pre-releases go.
    ['<1.35.0-0', '1.34', '-eks', 'ok'],
    ['<1.35.0-0', '1.35', '-eks', 'no'],
    ['>=1.30.0-0 <1.35.0-0', '1.34', '-gke', 'ok'],
    // Without a hyphen in it, a range has no pre-release.
    ['>=1.30.0 <1.35.0', '1.34', '', 'ok'],
    ['>=1.30.0 <1.35.0', '1.34', '-eks', 'no'],
    ['1.30.x || 1.32.x', '1.31', '', 'no'],
  ])('%s and %s%s: %s', (range, minor, suffix, word) => {
    const read = readRanges(rows(range), minor, { newestOn: () => '1.36', suffix })
    expect(read.word).toBe(word)
  })

  test('has what a chart of today refuses on it installed, so that it says nothing of the next Kubernetes', () => {
    expect(withoutBroken(rows('<1.35.0'), '1.33', '-eks')).toEqual([])
    expect(withoutBroken(rows('<1.35.0'), '1.33', '')).toHaveLength(1)
    expect(withoutBroken(rows('<1.35.0-0'), '1.34', '-eks')).toHaveLength(1)
    expect(withoutBroken(rows('<1.33.0-0'), '1.34', '-eks')).toHaveLength(1)
  })

  test.each([
    ['v1.33.10-eks-ba2e9a1', '-eks'],
    ['v1.33.2-gke.1240000', '-gke'],
    ['v1.33.1+k3s1', ''],
    ['v1.33.4+rke2r1', ''],
    ['1.33', ''],
    [null, ''],
  ])('%s ends in "%s"', (version, suffix) => {
    expect(helmSuffix(version)).toBe(suffix)
  })
})
