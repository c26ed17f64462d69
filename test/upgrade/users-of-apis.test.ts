import { expect, test, vi } from 'vitest'
import type { ApiRemoval } from '../../src/contract/upgrade-facts.ts'
import type { UsedApi } from '../../src/reports/artifact.ts'
import { usersIn } from '../../src/upgrade/api-users.ts'
import { UpgradeFacts } from '../../src/upgrade/facts.ts'
import type { PlanKnowledge } from '../../src/upgrade/known.ts'
import type { PlanPart } from '../../src/upgrade/part.ts'
import { makePlan } from '../../src/upgrade/plan.ts'

const removal: ApiRemoval = {
  component: 'kubernetes',
  group: 'flowcontrol.apiserver.k8s.io',
  version: 'v1beta3',
  kind: 'FlowSchema',
  deprecated_in: '1.29',
  removed_in: '1.32',
  replacement: null,
  source: 'https://kubernetes.example',
}
const part: PlanPart = {
  identity: 'shop',
  slug: 'shop',
  name: 'Shop',
  version: '1.0.0',
  numbers: { segments: ['1', '0', '0'] },
  isCoupled: false,
  workloads: [],
  states: [],
  support: undefined,
  hasRelease: () => false,
  stepTo: () => undefined,
  whyNotTo: () => undefined,
}

/** The plan of a cluster in which these objects were written with the API version that goes away. */
function planFor(known: PlanKnowledge, users: string[], by: UsedApi['by'] = 'managedFields') {
  const { group, version, kind } = removal
  const usersFor = usersIn(users.length === 0 ? [] : [{ group, version, kind, by, users, count: 1 }])
  const cluster = { kubernetes: 'v1.31.4', to: '1.32', cluster: undefined, offering: undefined, isOfCluster: true }
  return makePlan({ ...cluster, parts: [part], reasons: [], usersFor }, known)
}

test('clusters share what the facts say, and each has its own users of an API version', () => {
  const facts = new UpgradeFacts({ compatibility: [], removals: [removal], breaking: [], skew: [], components: [] })
  const ask = vi.spyOn(facts, 'rangesFor')
  const known = {
    facts,
    minors: ['1.32', '1.31'],
    minorsFor: () => ['1.32', '1.31'],
    date: '2026-08-22',
    newestOn: () => '1.32',
    toRules: () => [],
    supportFor: () => undefined,
  }
  const [a, b, none] = [planFor(known, ['shop/a']), planFor(known, ['pay/b']), planFor(known, [])]
  const calls = ask.mock.calls.length
  planFor(known, ['shop/c'])
  expect(ask.mock.calls.length).toBe(calls)
  expect([a, b, none].map(({ verdict }) => verdict)).toEqual(['warnings', 'warnings', 'warnings'])
  const usersIn = ({ hops }: typeof a) => hops.flatMap((hop) => hop.removed_apis.map(({ used_by }) => used_by))
  expect([a, b, none].map(usersIn)).toEqual([[['FlowSchema shop/a']], [['FlowSchema pay/b']], [null]])
  expect(a.reasons.map(({ says }) => says).join(' ')).toContain('with which FlowSchema shop/a was written;')
  const asked = planFor(known, ['shop/a'], 'metrics')
  expect([asked.verdict, asked.reasons.at(-1)?.says]).toEqual([
    'blocked',
    expect.stringContaining('a client that asked'),
  ])
})
