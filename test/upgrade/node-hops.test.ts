import { describe, expect, test } from 'vitest'
import { bundledUpgradeFacts } from '../../src/catalog/upgrade-facts.ts'
import { UpgradeFacts } from '../../src/upgrade/facts.ts'
import { knownNodes } from '../../src/upgrade/node-hops.ts'
import { makePlan } from '../../src/upgrade/plan.ts'

const { skew } = bundledUpgradeFacts()
const known = {
  facts: new UpgradeFacts({ compatibility: [], removals: [], breaking: [], skew, components: [] }),
  minors: ['1.36', '1.35', '1.34', '1.33', '1.27'],
  minorsFor: () => ['1.36', '1.35', '1.34', '1.33', '1.27'],
  date: '2026-08-22',
  newestOn: () => '1.36',
  toRules: () => [],
  supportFor: () => undefined,
}

const node = (kubelet: string | null, index = 0) => ({
  name: `n${index}`,
  os: null,
  runtime: null,
  kubelet,
})

function planFor(way: string, kubelets: (string | null)[] | undefined, offering?: string) {
  const [kubernetes, to] = way.split(' → ') as [string, string]
  const nodes = knownNodes(kubelets?.map(node))
  const question = { parts: [], cluster: undefined, reasons: [], isOfCluster: true }
  return makePlan({ ...question, kubernetes, to, nodes, offering }, known)
}

/** `before 1.34: 1.30 → 1.33` of each step of nodes, `1.34` of each of Kubernetes. */
function orderOf(...asked: Parameters<typeof planFor>): string[] {
  return planFor(...asked).steps.map(({ kind, hop, when, from, to }) => {
    if (kind === 'kubernetes') return hop!
    return `${when === 'before' ? 'before' : 'after'} ${hop ?? 'all'}: ${from} → ${to}`
  })
}

describe('nodes of known versions', () => {
  test.each<[what: string, way: string, kubelets: string[], offering: string | undefined, order: string[]]>([
    [
      'go with each hop',
      'v1.33.4 → 1.35',
      ['v1.33.4'],
      undefined,
      ['1.34', 'after 1.34: 1.33 → 1.34', '1.35', 'after 1.35: 1.34 → 1.35'],
    ],
    [
      'are in time three minors behind',
      'v1.33.4 → 1.34',
      ['v1.31.2', 'v1.33.4'],
      undefined,
      ['1.34', 'after 1.34: 1.31 → 1.34'],
    ],
    [
      'go first where the hop would leave them four minors behind',
      'v1.33.4 → 1.34',
      ['v1.30.9', 'v1.33.4'],
      undefined,
      ['before 1.34: 1.30 → 1.33', '1.34', 'after 1.34: 1.33 → 1.34'],
    ],
    [
      'go at once where they are too old for what runs',
      'v1.33.4 → 1.34',
      ['v1.29.9', 'v1.33.4'],
      undefined,
      ['before all: 1.29 → 1.33', '1.34', 'after 1.34: 1.33 → 1.34'],
    ],
    [
      'may be two minors behind on GKE',
      'v1.33.2-gke.1240000 → 1.34',
      ['v1.31.1-gke.1'],
      'gke',
      ['before 1.34: 1.31 → 1.33', '1.34', 'after 1.34: 1.33 → 1.34'],
    ],
    [
      'match the control plane of EKS before it goes on',
      'v1.33.1-eks-595af52 → 1.34',
      ['v1.32.1-eks-595af52'],
      'eks',
      ['before 1.34: 1.32 → 1.33', '1.34', 'after 1.34: 1.33 → 1.34'],
    ],
    [
      'of before 1.25 may be two minors behind',
      'v1.26.3 → 1.27',
      ['v1.24.17'],
      undefined,
      ['before 1.27: 1.24 → 1.26', '1.27', 'after 1.27: 1.26 → 1.27'],
    ],
    ['that are on the next version already stay', 'v1.33.4 → 1.34', ['v1.34.0'], undefined, ['1.34']],
    ['do not exist', 'v1.33.4 → 1.34', [], undefined, ['1.34']],
    ['are raised although Kubernetes stays', 'v1.33.4 → 1.33', ['v1.29.9'], undefined, ['before all: 1.29 → 1.33']],
  ])('%s', (_, way, kubelets, offering, order) => {
    expect(orderOf(way, kubelets, offering)).toEqual(order)
    const plan = planFor(way, kubelets, offering)
    expect(plan.reasons).toEqual([])
    expect(plan.missing.some(({ what }) => what.includes('nodes'))).toBe(false)
  })

  test('are counted by version, with the rule', () => {
    const { steps } = planFor('v1.33.4 → 1.34', ['v1.30.9', 'v1.30.1', 'v1.33.4'])
    expect(steps.map(({ kubelets, why }) => [kubelets, why[0]])).toEqual([
      [
        [{ version: '1.30', nodes: 2 }],
        'Nodes of 1.30 would be 4 minor versions older than Kubernetes 1.34; 3 allowed.',
      ],
      [undefined, undefined],
      [[{ version: '1.33', nodes: 3 }], 'Nodes of 1.33 may wait until Kubernetes runs 1.36.'],
    ])
    expect(steps[0]!.evidence.map(({ source }) => source)).toContainEqual(expect.stringContaining('kubernetes.io'))
  })

  test('newer than Kubernetes at the end break a rule that no step keeps', () => {
    const { verdict, reasons } = planFor('v1.33.4 → 1.34', ['v1.35.0', 'v1.33.4'])
    expect(verdict).toBe('blocked')
    expect(reasons.map(({ says }) => says)).toEqual([
      '1 node of 1.35 is newer than Kubernetes 1.34, which the skew policy never allows.',
    ])
  })
})

describe('nodes of unknown versions', () => {
  test.each([
    ['where nobody collected them', undefined, 'The versions of the nodes are unknown'],
    ['where some state none', ['v1.33.4', 'nightly', null, 'v1.25.0-vk-azure-aci-1.6.1'], '3 nodes state no version'],
  ])('are said %s', (_, kubelets, says) => {
    const plan = planFor('v1.33.4 → 1.34', kubelets)
    expect(plan.verdict).toBe('warnings')
    expect(plan.reasons.map((reason) => [reason.word, reason.says])).toEqual([
      ['not_stated', expect.stringContaining(says)],
    ])
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['kubernetes', 'nodes'])
    expect(plan.missing).toContainEqual({ what: 'Versions of the nodes', how: expect.stringContaining('relt scan') })
  })
})
