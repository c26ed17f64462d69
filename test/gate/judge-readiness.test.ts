import { expect, test } from 'vitest'
import { judgeReadiness } from '../../src/gate/judge-readiness.ts'
import { readAksReadiness } from '../../src/reports/risk-paths.ts'
import { runWith } from './evidence.ts'

const item = { id: 'POD001', name: 'Pods', total: 1, severity: 'high' }
const summary = { status: 'ready', statusLabel: 'Ready', blockerCount: 0, warningCount: 0, skipped: false }

const judge = (readiness: unknown, allowed = 0) =>
  judgeReadiness(
    { text: `aks-blockers>${allowed}`, kind: 'aks-blockers', allowed },
    { run: { ...runWith(), aks_readiness: readAksReadiness(readiness) } },
  ).verdict

test.each([
  ['nothing listed', { summary }],
  ['null for a list', { summary, blockers: null }],
  ['warnings', { summary: { ...summary, status: 'ready_with_changes', warningCount: 1 }, blockers: [] }],
])('passes with no blocker and a cluster that is ready: %s', (_, readiness) => {
  expect(judge(readiness)).toBe('passed')
})

test('fails with blockers, one of which PowerShell writes without its list', () => {
  const notReady = { ...summary, status: 'not_ready', statusLabel: 'Not Ready', blockerCount: 1 }
  for (const blockers of [[item], item]) expect(judge({ summary: notReady, blockers })).toBe('failed')
  expect(judge({ summary: notReady, blockers: [item] }, 1)).toBe('passed')
})

test.each<[string, unknown]>([
  ['no readiness', undefined],
  ['a text', 'Ready'],
  ['no summary', { blockers: [] }],
  ['a summary of another type', { summary: 'Ready', blockers: [] }],
  ['a status of another word', { summary: { ...summary, status: 'fine', statusLabel: 'Fine' } }],
  ['a status that says not ready', { summary: { ...summary, status: 'not_ready', statusLabel: 'Not Ready' } }],
  ['a label that contradicts the status', { summary: { ...summary, statusLabel: 'Not Ready' } }],
  ['no status', { summary: { blockerCount: 0 } }],
  ['blockers without an id', { summary, blockers: [{ name: 'Pods' }] }],
  ['a list of another type', { summary, blockers: 'none' }],
  ['a count as a text', { summary: { ...summary, blockerCount: '0' } }],
  ['a negative count', { summary: { ...summary, blockerCount: -1 } }],
  ['skipped as a text', { summary: { ...summary, skipped: 'true' } }],
  ['skipped as a number', { summary: { ...summary, skipped: 1 } }],
])('is not passed by %s', (_, readiness) => {
  expect(judge(readiness)).not.toBe('passed')
})
