import { expect, test } from 'vitest'
import type { Comparison } from '../../src/contract/cluster-report.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { readPolicy } from '../../src/gate/read-policy.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { changesOf, comparisonWith, findingWith, now, runWith } from './evidence.ts'

const judge = (rule: string, comparison: Comparison, events = 'ignore') => {
  const file = readPolicy(`gate: {fail_on: ["${rule}"], events: ${events}}`, 'relt.yaml')
  const policy = completePolicy(file, { failOn: [] })
  const changes = changesOf(
    policy.rules.map(({ text }) => text),
    comparison,
  )
  return evaluateGate(policy, { run: runWith(), comparison, changes }, now).rules[0]!
}

const state = (count: number) => ({ message: 'is wrong', value: null, count })
const moved = (from: number, to: number) => ({ ...findingWith({ count: to }), from: state(from), to: state(to) })
const event = findingWith({ check_id: 'EVENT002', severity: 'critical' })
const eventsNow = { ...comparisonWith(), event_findings: [event], event_findings_count: 1 }

test('a higher count of a known finding fails `more` alone', () => {
  const comparison = { ...comparisonWith(), changed_findings: [moved(3, 5)] }
  expect(judge('more>=high', comparison)).toMatchObject({
    verdict: 'failed',
    reason: '1 finding with a higher count at or above high; 0 allowed',
  })
  expect(judge('new>=info', comparison).verdict).toBe('passed')
  expect(judge('regressed>=info', comparison).verdict).toBe('passed')
  expect(judge('more>=critical', comparison).verdict).toBe('passed')
})

test('a rise that growth does not explain fails `regressed` and `more`', () => {
  const comparison = { ...comparisonWith(), changed_findings: [], regressed_findings: [moved(1, 10)] }
  expect(judge('regressed>=high', comparison).verdict).toBe('failed')
  expect(judge('more>=high', comparison).verdict).toBe('failed')
})

test('a lower count, and another state, pass `more`', () => {
  const { count: _, ...other } = state(1)
  const comparison = {
    ...comparisonWith(),
    changed_findings: [moved(5, 3), { ...findingWith(), from: other, to: other }],
  }
  expect(judge('more>=info', comparison).verdict).toBe('passed')
})

test('`more` is undecided where a server does not list changed findings', () => {
  const { changed_findings: _, ...comparison } = comparisonWith()
  expect(judge('more>=info', comparison)).toMatchObject({
    verdict: 'undecided',
    reason: 'The server does not list counts that rose',
  })
})

test('events count as new only where the policy says so, and a note counts those left out', () => {
  expect(judge('new>=info', eventsNow)).toMatchObject({
    verdict: 'passed',
    notes: ['1 event not counted (events: ignore)'],
  })
  expect(judge('new>=info', eventsNow, 'count')).toMatchObject({ verdict: 'failed', notes: [] })
  expect(judge('regressed>=info', eventsNow).notes).toEqual([])
})

test('the policy refuses another word for events', () => {
  expect(() => readPolicy('gate: {events: never}', 'relt.yaml')).toThrow('The gate policy is invalid.')
})
