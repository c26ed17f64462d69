import { describe, expect, test } from 'vitest'
import { parseRule } from '../../src/contract/gate-rule.ts'
import { judgeRiskPaths } from '../../src/gate/judge-risk-paths.ts'
import { readRiskPaths } from '../../src/reports/risk-paths.ts'

const [path] = readRiskPaths([{ id: 'RISK001', name: 'Isolation', fixPriority: 'urgent', summary: 'A path.' }], null)!
const incomparable = [{ id: 'RISK002', kind: 'direct' as const, name: 'Namespaces', reason: 'SEC004 did not run' }]
const none = { opened: [], closed: [], incomparable: [] }

describe('no-new-risk-path', () => {
  test('is a rule', () => {
    expect(parseRule(' no-new-risk-path ')).toEqual({ text: 'no-new-risk-path', kind: 'no-new-risk-path' })
    expect(parseRule('no-new-risk-path>1')).toBeUndefined()
  })

  test('fails for a path that opened', () => {
    expect(judgeRiskPaths({ risk_paths: { ...none, opened: [path!], incomparable } })).toMatchObject({
      verdict: 'failed',
      reason: '1 new risk path; 0 allowed',
      violations: [{ kind: 'risk_path', id: 'RISK001', severity: 'critical', message: 'Isolation: A path.' }],
      notes: ['Namespaces (RISK002) is not compared: SEC004 did not run'],
    })
  })

  test.each([
    ['passed', none],
    ['passed', { ...none, closed: [path!] }],
    ['undecided', { ...none, incomparable }],
    ['undecided', null],
    ['undecided', undefined],
  ])('is %s for %j', (verdict, risk_paths) => {
    expect(judgeRiskPaths({ risk_paths } as Parameters<typeof judgeRiskPaths>[0]).verdict).toBe(verdict)
  })
})
