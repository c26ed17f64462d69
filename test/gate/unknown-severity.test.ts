import { expect, test } from 'vitest'
import type { Finding } from '../../src/contract/scan-finding.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { readPolicy } from '../../src/gate/read-policy.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { findingWith, now, runWith } from './evidence.ts'

const judge = (rule: string, findings: Finding[], unrated = 'ignore') => {
  const policy = completePolicy(readPolicy(`gate: {fail_on: ["${rule}"], unrated: ${unrated}}`, 'relt.yaml'), {
    failOn: [],
  })
  return evaluateGate(policy, { run: runWith(), findings }, now).rules[0]!
}

const unknown = findingWith({ severity: 'unknown' })
const unrated = findingWith({ severity: 'info', is_unrated: true })

test('a finding of unknown severity leaves rules undecided that would have to know it', () => {
  expect(judge('findings>=critical', [unknown])).toMatchObject({
    verdict: 'undecided',
    reason: '0 critical findings; 0 allowed. The severity of 1 more is unknown: SEC001',
  })
  expect(judge('findings>=low', [unknown]).verdict).toBe('undecided')
})

test('an unknown severity is at least info, and no more findings than are allowed decide nothing', () => {
  expect(judge('findings>=info', [unknown])).toMatchObject({ verdict: 'failed' })
  expect(judge('findings>=critical>1', [unknown]).verdict).toBe('passed')
  expect(judge('findings>=critical>1', [unknown, { ...unknown, count: 2 }]).verdict).toBe('undecided')
})

test('a failed rule stays failed beside unknown severities', () => {
  expect(judge('findings>=high', [unknown, findingWith({ severity: 'critical' })]).verdict).toBe('failed')
})

test.each([
  ['ignore', 'passed', 'by the severity that relt assigns'],
  ['undecided', 'undecided', 'as unknown'],
  ['low', 'passed', 'as low'],
  ['critical', 'failed', 'as critical'],
])('a finding that its scanner does not rate, with unrated: %s, leaves the rule %s', (word, verdict, how) => {
  expect(judge('findings>=high', [unrated], word)).toMatchObject({
    verdict,
    notes: [`1 finding without a rating by the scanner: counted ${how} (unrated: ${word})`],
  })
})

test('a suppressed finding of unknown severity opens nothing', () => {
  const suppressed = { ...unknown, suppressed: { reason: null, until: null } }
  expect(judge('findings>=high', [suppressed]).verdict).toBe('passed')
})

test('the policy refuses another word for unrated', () => {
  expect(() => readPolicy('gate: {unrated: pass}', 'relt.yaml')).toThrow('The gate policy is invalid.')
})
