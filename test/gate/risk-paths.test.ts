import { describe, expect, test } from 'vitest'
import type { RiskPathChanges } from '../../src/contract/risk-path.ts'
import { Exceptions } from '../../src/gate/exception.ts'
import { judgeRiskPaths } from '../../src/gate/judge-risk-paths.ts'
import { parseRule } from '../../src/gate/rules.ts'
import { readRiskPaths } from '../../src/reports/risk-paths.ts'
import { changesOf, comparisonWith, policyFor, runWith } from './evidence.ts'

const [path] = readRiskPaths([{ id: 'RISK001', name: 'Isolation', fixPriority: 'urgent', summary: 'A path.' }], null)!
const incomparable = [{ id: 'RISK002', kind: 'direct' as const, name: 'Namespaces', reason: 'SEC004 did not run' }]
const none = { opened: [], closed: [], incomparable: [] }

const rule = { text: 'no-new-risk-path', kind: 'no-new-risk-path' } as const
const judge = (risk_paths: RiskPathChanges | null | undefined) => {
  const changes = changesOf([rule.text], { ...comparisonWith(), risk_paths })
  const policy = policyFor([rule.text])
  const exceptions = new Exceptions([], '2026-09-01')
  return judgeRiskPaths(rule, { run: runWith(), changes, policy, exceptions, today: '2026-09-01' })
}

describe('no-new-risk-path', () => {
  test('is a rule', () => {
    expect(parseRule(' no-new-risk-path ')).toEqual({ text: 'no-new-risk-path', kind: 'no-new-risk-path' })
    expect(parseRule('no-new-risk-path>1')).toBeUndefined()
  })

  test('fails for a path that opened', () => {
    expect(judge({ ...none, opened: [path!], incomparable })).toMatchObject({
      verdict: 'failed',
      reason: { code: 'paths_opened', opened: 1 },
      violations: [{ kind: 'risk_path', id: 'RISK001', severity: 'critical', message: 'Isolation: A path.' }],
      notes: [{ code: 'path_incomparable', id: 'RISK002', name: 'Namespaces', reason: 'SEC004 did not run' }],
    })
  })

  test.each([
    ['passed', none],
    ['passed', { ...none, closed: [path!] }],
    ['undecided', { ...none, incomparable }],
    ['undecided', null],
    ['undecided', undefined],
  ])('is %s for %j', (verdict, risk_paths) => {
    expect(judge(risk_paths as RiskPathChanges).verdict).toBe(verdict)
  })
})
