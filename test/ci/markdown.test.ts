import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderMarkdown } from '../../src/ci/markdown.ts'
import {
  changesOf,
  comparisonWith,
  findingWith,
  freshnessFor,
  itemWith,
  notRun,
  now,
  policyFor,
  policyWith,
  runWith,
} from '../gate/evidence.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { hostile, reportWith } from './results.ts'

const plenty = 1_000_000

test('a summary has the verdict, every rule, the evidence and the expired exceptions', () => {
  const finding = findingWith({ check_id: 'SEC003', namespace: 'shop', resource: 'pod/web', message: 'runs as root' })
  const run = runWith()
  const comparison = comparisonWith({ new_findings: [finding] })
  const policy = policyFor(['new>=high', 'score<80'], '- {check: SEC003, reason: until May, expires: 2026-05-31}')
  const changes = changesOf(['new>=high'], comparison)
  const result = evaluateGate(policy, { run, comparison, changes }, now)
  expect(renderMarkdown({ run, comparison, result }, plenty)).toBe(`## Gate ❌ failed

**shop** (prod), score 90 → 80, 0 findings: 1 new, 0 regressed, 0 resolved, 0 unchanged. Run <code>crun&#95;a</code>, scanned 2026-09-01 12:00:00, just now

| Rule | Verdict | Reason |
| --- | --- | --- |
| <code>new&#62;=high</code> | ❌ failed | 1 new finding at or above high; 0 allowed |
| <code>score&#60;80</code> | ✅ passed | The score is 80; the minimum is 80 |

### <code>new&#62;=high</code>

| Severity | What | Where | Message |
| --- | --- | --- | --- |
| high | SEC003 | shop pod/web | runs as root |

Exceptions: 0 used, 0 unused, 1 expired.

### Expired exceptions

- <code>relt&#46;yaml&#58;3</code>: until May
`)
})

test('a summary says what did not run, what is suppressed or changed, and how much is known', () => {
  const checks_not_run = [notRun('PROM001', 'High CPU')]
  const run = runWith({ checks_not_run, not_run_checks: 2, suppressed_findings: 4 })
  const comparison = comparisonWith({ changed_findings_count: 3 })
  const policy = policyWith(['eol'], 'undecided: [{part: AKS*, reason: until May, until: 2026-05-31}]')
  const result = evaluateGate(policy, { run, comparison, freshness: freshnessFor([itemWith()]) }, now)
  const lines = renderMarkdown({ run, comparison, result }, plenty).split('\n')
  expect(lines.slice(2, 9)).toEqual([
    '**shop** (prod), score 90 → 80*, 0 findings and 4 suppressed: 0 new, 0 regressed, 0 resolved, 3 changed, 0 unchanged. Run <code>crun&#95;a</code>, scanned 2026-09-01 12:00:00, just now',
    '',
    '⚠️ 2 checks did not run:',
    '',
    '- <code>PROM001</code> High CPU: forbidden',
    '- 1 more check did not run',
    '',
  ])
  expect(lines[9]).toBe('Coverage: 1 of 1 images known; security facts for 1 of 1 project, 2 days old')
  expect(lines).toContain('Lines of undecided: 0 used, 0 unused, 1 expired.')
  expect(lines.at(-2)).toBe('- <code>relt&#46;yaml&#58;2</code>: until May')
})

test('foreign text adds no line and no sign of Markdown or HTML', () => {
  const shape = (message: string) =>
    renderMarkdown(reportWith(message), plenty)
      .replace(/<\/?code>/g, '')
      .split('\n')
      .map((line) => line.replace(/&#\d+;/g, '').replace(/[\p{L}\p{N}\p{M} ,;/()=%+…→-]/gu, ''))
  const text = fc.oneof(
    fc.string({ minLength: 1 }),
    fc.string({ minLength: 1, unit: anyCharacter }),
    fc.constant(hostile),
  )
  const harmless = shape('x')
  fc.assert(
    fc.property(text, (message) => {
      const symbols = /\p{So}/gu
      const bare = (lines: string[]) => lines.map((line) => line.replace(symbols, ''))
      expect(bare(shape(message))).toEqual(bare(harmless))
    }),
    { numRuns: 500 },
  )
})

test('it keeps within its bytes by leaving whole lines out, and says so', () => {
  const report = reportWith('größer', 20)
  const whole = renderMarkdown(report, plenty)
  const size = Buffer.byteLength(whole)
  expect(renderMarkdown(report, size)).toBe(whole)
  for (const room of [0, 10, 100, 500, size - 1]) {
    const cut = renderMarkdown(report, room)
    expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(room)
    if (cut !== '') expect(cut).toMatch(/^## Gate ❌ failed\n[\s\S]*\n… truncated: the summary is full\n$/)
  }
})
