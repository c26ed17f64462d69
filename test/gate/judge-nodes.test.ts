import { describe, expect, test } from 'vitest'
import type { NodeComponent } from '../../src/contract/node.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { freshnessFor, itemWith, runWith } from './evidence.ts'

const now = Date.parse('2026-11-26T00:00:00Z') / 1000
const facts = { source: null, as_of: null, allowed_older: 3 }

const os = (name: string, eol: NodeComponent['eol']): NodeComponent => ({
  ...{
    part: 'os',
    artifact_key: name,
    display_name: name,
    slug: name,
    version: '1',
    nodes_count: 2,
    nodes: ['a', 'b'],
  },
  eol: eol!,
})

const kubelet = (older: number | null, state: NonNullable<NodeComponent['skew']>['state']): NodeComponent => ({
  ...os(`kubelet@v1.${older}`, { cycle: '1.30', date: '2025-06-28', is_eol: true }),
  part: 'kubelet',
  skew: { state, older, says: `${older} minor versions older`, ...facts },
})

const ended = os('ubuntu@20.04', { cycle: '20.04', date: '2025-05-31', is_eol: true })
const supported = os('ubuntu@24.04', { cycle: '24.04', date: '2029-05-31', is_eol: false })
const unknown = os('os@Buildroot', null)

function judge(rule: string, nodes: NodeComponent[] | undefined, more: object = {}) {
  const items = [itemWith({ eol: { cycle: '1.27', date: null, is_eol: false } })]
  const freshness = { ...freshnessFor(items), ...(nodes && { nodes }), ...more }
  const policy = completePolicy(undefined, { failOn: [rule] })
  const [found] = evaluateGate(policy, { run: runWith(), freshness }, now).rules
  return found!
}

describe('the rule eol', () => {
  test('counts systems of nodes that are out of support', () => {
    expect(judge('eol', [ended, supported])).toMatchObject({
      verdict: 'failed',
      evidence: [{ id: 'ubuntu@20.04', message: expect.stringMatching(/ended on 2025-05-31: 2 nodes \(a, b\)/) }],
    })
    expect(judge('eol', [supported])).toMatchObject({ verdict: 'passed' })
  })

  test('leaves a kubelet of the version of the API server to kubernetes-eol', () => {
    expect(judge('eol', [kubelet(0, 'ok')])).toMatchObject({ verdict: 'passed' })
    expect(judge('eol', [kubelet(1, 'ok')])).toMatchObject({ verdict: 'failed' })
  })

  test('says how many are not known', () => {
    expect(judge('eol', [unknown]).notes.join()).toContain('1 of 1 artifact and 1 node version')
  })

  test('is undecided where the nodes could not be read', () => {
    const unread = [{ source: 'nodes', reason: 'The account may not list nodes.' }]
    expect(judge('eol', undefined, { unread })).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('may not list nodes'),
    })
  })
})

describe('the rule skew', () => {
  test.each([
    ['a kubelet that is too old', [kubelet(0, 'ok'), kubelet(4, 'too_old')], 'failed'],
    ['a kubelet that is too new', [kubelet(-1, 'too_new')], 'failed'],
    ['one of a version that is not known', [kubelet(null, 'unknown')], 'undecided'],
    ['kubelets within the skew', [kubelet(0, 'ok'), kubelet(3, 'ok')], 'passed'],
    ['an inventory without nodes', undefined, 'undecided'],
    ['an inventory with no node at all', [], 'undecided'],
  ])('%s', (_, nodes, verdict) => {
    expect(judge('skew', nodes)).toMatchObject({ verdict })
  })
})
