import { beforeAll, describe, expect, test } from 'vitest'
import { bundledUpgradeFacts } from '../../src/catalog/upgrade-facts.ts'
import type { UpgradePart } from '../../src/contract/upgrade.ts'
import { openService, type TestService } from '../operations/service.ts'

let service: TestService
beforeAll(async () => {
  const closers: (() => Promise<void>)[] = []
  service = await openService(':memory:', (close) => closers.push(close), { catalog: true })
  return async () => {
    for (const close of closers) await close()
  }
})

async function ask(part: string, kubernetes: string, to: string) {
  const [project_slug, version] = part.split('@') as [string, string]
  return service.call('checkUpgrade', { body: { kubernetes, to, parts: [{ project_slug, version }] } })
}

/** By hand from the projects' documents: the newest Kubernetes that each names, and the word it uses. */
const newest: [part: string, minor: number, kind: string][] = [
  ['cilium@1.14.10', 27, 'tested'],
  ['cilium@1.15.4', 29, 'tested'],
  ['cilium@1.16.7', 30, 'tested'],
  ['cilium@1.17.5', 32, 'tested'],
  ['calico@3.26.4', 28, 'tested'],
  ['calico@3.27.5', 29, 'tested'],
  ['calico@3.28.2', 30, 'tested'],
  ['cert-manager@1.9.2', 24, 'supported'],
  ['cert-manager@1.10.2', 26, 'supported'],
  ['cert-manager@1.11.5', 27, 'supported'],
  ['cert-manager@1.12.17', 32, 'supported'],
  ['karpenter@0.31.4', 28, 'stated'],
  ['karpenter@0.32.10', 28, 'stated'],
  ['karpenter@0.33.5', 28, 'stated'],
  ['karpenter@0.34.7', 29, 'stated'],
  ['karpenter@0.35.7', 29, 'stated'],
  ['karpenter@0.36.2', 29, 'stated'],
  ['keda@2.7.2', 25, 'tested'],
  ['keda@2.8.2', 25, 'tested'],
  ['keda@2.9.3', 25, 'tested'],
  ['keda@2.10.1', 26, 'tested'],
]

/** Each is asked for the last Kubernetes that it names, and for the next one. */
const clusters = newest.flatMap(([part, minor, kind]) => [
  { part, kind, kubernetes: `1.${minor - 1}`, to: `1.${minor}`, needs: 'ok' },
  { part, kind, kubernetes: `1.${minor}`, to: `1.${minor + 1}`, needs: 'upgrade_before' },
])

const isDecided = ({ needs }: UpgradePart) => needs !== 'unknown'

describe('upgrades of clusters with older lines', () => {
  test('are decided for nine of ten, each by a fact with its source and its day', async () => {
    expect(clusters.length).toBeGreaterThanOrEqual(40)
    const answers = await Promise.all(
      clusters.map(async (one) => ({ ...one, parts: (await ask(one.part, one.kubernetes, one.to)).parts })),
    )
    const wrong = answers.filter(({ parts: [part], needs }) => part!.needs !== needs && isDecided(part!))
    expect(wrong).toEqual([])
    const decided = answers.filter(({ parts: [part] }) => isDecided(part!))
    expect(decided.length / clusters.length).toBeGreaterThanOrEqual(0.9)
    for (const { parts, kind } of decided) {
      expect(parts[0]!.evidence[0]).toMatchObject({
        kind,
        source: expect.stringMatching(/^https:\/\//),
        as_of: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      })
    }
  })

  test('are not decided for a line that its project does not list, and the answer names what would', async () => {
    for (const [part, from, to] of [
      ['cilium@1.5.0', '1.27', '1.28'],
      ['calico@3.20.0', '1.27', '1.28'],
      ['karpenter@0.9.0', '1.27', '1.28'],
      ['keda@1.5.0', '1.27', '1.28'],
    ] as const) {
      const { parts, missing, verdict } = await ask(part, from, to)
      const [slug] = part.split('@')
      expect([part, parts[0]!.needs, verdict]).toEqual([part, 'unknown', 'undetermined'])
      expect(missing).toEqual([
        {
          what: `Which Kubernetes ${slug} goes with`,
          how: expect.stringContaining('relt catalog import'),
        },
      ])
    }
  })

  test('begin with the first line that each project still lists', () => {
    const { compatibility } = bundledUpgradeFacts()
    const lines = Map.groupBy(compatibility, ({ slug }) => slug)
    const has = (slug: string, line: string) => lines.get(slug)!.some((row) => row.line === line)
    const first = {
      'cert-manager': '0.11',
      karpenter: '0.21',
      keda: '2.3',
      linkerd: '2.10',
      velero: '1.4',
      istio: '1.7',
    }
    for (const [slug, line] of Object.entries(first)) expect([slug, has(slug, line)]).toEqual([slug, true])
  })
})
