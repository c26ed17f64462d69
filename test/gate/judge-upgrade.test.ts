import { describe, expect, test } from 'vitest'
import type { UpgradePlan } from '../../src/contract/upgrade.ts'
import { Exceptions } from '../../src/gate/exception.ts'
import { judgeUpgrade } from '../../src/gate/judge-upgrade.ts'
import { parseRule } from '../../src/gate/rules.ts'
import { policyFor, runWith } from './evidence.ts'

const part = { project_slug: 'keda', name: 'KEDA', current_version: '2.20.0' }

function plan(...reasons: UpgradePlan['reasons']): UpgradePlan {
  return { from: '1.35', to: '1.36', reasons, parts: [part] } as unknown as UpgradePlan
}
const blocked = {
  word: 'blocked',
  project_slug: 'keda',
  says: 'No good version of KEDA goes with Kubernetes 1.36.',
} as const
const open = { word: 'not_stated', project_slug: 'cilium', says: 'Nobody states that Cilium works.' } as const
const exceptions = new Exceptions([], '2026-09-01')
const rule = { text: 'upgrade-blockers', kind: 'upgrade-blockers' } as const
const judge = (found: UpgradePlan | undefined) =>
  judgeUpgrade(rule, {
    ...{ run: runWith(), policy: policyFor([rule.text]), exceptions, today: '2026-09-01' },
    ...(found && { plans: new Map([[rule.text, found]]) }),
  })

describe('upgrade-blockers', () => {
  test.each([
    ['upgrade-blockers', { kind: 'upgrade-blockers' }],
    ['upgrade-blockers:1.36', { kind: 'upgrade-blockers', to: '1.36' }],
    ['upgrade-blockers:latest', { kind: 'upgrade-blockers', to: 'latest' }],
    ['upgrade-blockers:next', undefined],
    ['upgrade-blockers:1', undefined],
  ])('is read: %s', (text, rule) => {
    expect(parseRule(text)).toEqual(rule && { text, ...rule })
  })

  test('fails by what blocks the plan, whatever else is unknown', () => {
    expect(judge(plan(open, blocked))).toMatchObject({
      verdict: 'failed',
      reason: { code: 'upgrade_blocked', blockers: 1, from: '1.35', to: '1.36' },
      violations: [{ kind: 'artifact', id: 'keda@2.20.0', name: 'KEDA 2.20.0', message: blocked.says }],
      total: 1,
    })
  })

  test('is undecided where nobody states what goes, and without a plan', () => {
    const reason = { code: 'upgrade_unknown', first: 'Nobody states that Cilium works', more: 0 }
    expect(judge(plan(open))).toMatchObject({ verdict: 'undecided', reason })
    expect(judge(undefined)).toMatchObject({ verdict: 'undecided' })
  })

  test('passes where every part goes', () => {
    const reason = { code: 'upgrade_free', parts: 1, from: '1.35', to: '1.36' }
    expect(judge(plan())).toMatchObject({ verdict: 'passed', reason, total: 0 })
  })
})
