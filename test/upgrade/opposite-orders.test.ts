import { expect, test } from 'vitest'
import { type ChartRelease, chartRows } from '../../src/upgrade/chart-ranges.ts'
import { UpgradeFacts } from '../../src/upgrade/facts.ts'
import type { PlanPart } from '../../src/upgrade/part.ts'
import { makePlan } from '../../src/upgrade/plan.ts'

const chart = (name: string, version: string, kubeVersion: string): ChartRelease => ({
  slug: 'shop',
  chart: name,
  version,
  appVersion: version,
  kubeVersion,
  source: 'https://charts.example',
  day: '2026-08-20',
})

/** Charts of one project, which have to be of the same version. */
function planFor(releases: ChartRelease[], charts: string[]) {
  const compatibility = chartRows(releases, () => [])
  const facts = new UpgradeFacts({ compatibility, removals: [], breaking: [], skew: [], components: [] })
  const part: PlanPart = {
    identity: JSON.stringify(charts),
    slug: 'shop',
    name: 'Shop',
    version: '1.0.0',
    charts,
    numbers: { segments: ['1', '0', '0'] },
    isCoupled: true,
    workloads: [],
    states: [],
    support: undefined,
    hasRelease: () => false,
    stepTo: () => undefined,
    whyNotTo: () => undefined,
  }
  const cluster = { kubernetes: 'v1.33.4', to: '1.34', cluster: undefined, offering: undefined, isOfCluster: true }
  const known = {
    minors: ['1.34', '1.33'],
    minorsFor: () => ['1.34', '1.33'],
    toRules: () => [],
    supportFor: () => undefined,
  }
  return makePlan(
    { ...cluster, parts: [part], reasons: [] },
    { ...known, facts, date: '2026-08-22', newestOn: () => '1.34' },
  )
}

// The agent of today is for 1.33 at most, and the server of tomorrow needs 1.34.
const releases = [
  chart('shop', '1.0.0', '>=1.25.0-0'),
  chart('shop-agent', '1.0.0', '<1.34.0-0'),
  chart('shop', '1.1.0', '>=1.34.0-0'),
  chart('shop-agent', '1.1.0', '<1.36.0-0'),
]

test('two charts that need opposite orders are a conflict, which names both', () => {
  const { verdict, reasons, parts, steps } = planFor(releases, ['shop', 'shop-agent'])
  expect(verdict).toBe('blocked')
  expect(parts).toMatchObject([{ needs: 'blocked', to_version: null }])
  expect(reasons.filter(({ word }) => word === 'blocked').map(({ says }) => says)).toEqual([
    'Opposite orders: Shop 1.0.0 must go before Kubernetes 1.34, and Shop 1.1, the next, needs Kubernetes 1.34 first. ' +
      'Helm refuses the chart shop-agent 1.0.0 outside of Kubernetes <1.34.0-0. ' +
      'Helm refuses the chart shop 1.1.0 outside of Kubernetes >=1.34.0-0.',
  ])
  expect(steps.filter(({ kind }) => kind === 'part')).toEqual([])
})

test('one of them alone is none', () => {
  expect(planFor(releases, ['shop']).verdict).not.toBe('blocked')
})

test('a line that is for both is taken all the same', () => {
  const { parts } = planFor([...releases, chart('shop', '1.2.0', '<1.36.0-0')], ['shop', 'shop-agent'])
  expect(parts).toMatchObject([{ needs: 'upgrade_before', to_version: '1.2' }])
})
