import { describe, expect, test } from 'vitest'
import type { IncomparableFindings, LedgerSubject } from '../../src/contract/cluster-report.ts'
import type { GateEvidence } from '../../src/gate/evaluate.ts'
import { viewGate } from '../../src/views/gate.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import {
  changesOf,
  comparisonWith,
  findingWith,
  freshnessFor,
  itemWith,
  notRun,
  now,
  policyWith,
  runWith,
} from './evidence.ts'

const onChanges = ['score-drop>50', 'new>=high', 'regressed>=high', 'more>=high']
const onOthers = ['kubernetes-eol', 'major-behind>1', 'eol>1']

function judge(rules: string[], members: string, evidence: Partial<GateEvidence>) {
  const eol = { cycle: '1', date: null, is_eol: false }
  const freshness = freshnessFor([itemWith({ eol })])
  const comparison = comparisonWith({ changed_findings: [] })
  const changes = changesOf(rules, evidence.comparison ?? comparison)
  const whole = { run: runWith(), comparison, changes, findings: [], freshness, ...evidence }
  return evaluateGate(policyWith(rules, members || 'fail_on: []'), whole, now)
}

type Part = LedgerSubject['parts'][number]

const runMissing = (parts: Part[], places: Partial<LedgerSubject['places']> = {}, more = {}) =>
  runWith({
    subjects: [
      { kind: 'cluster', name: '', parts, places: { read: 'all', left_out: [], forbidden: [], failed: [], ...places } },
    ],
    ...more,
  })

const forbidden = (name: string, resource: string, more: Partial<Part> = {}): Part => ({
  name,
  state: 'forbidden',
  reason: `${resource} is forbidden: User "scanner" cannot list resource "${resource}" in API group "" at the cluster scope`,
  ...more,
})

describe('a rule about changes', () => {
  test.each(['read', 'not_asked', 'left_out', 'forbidden', 'failed'] as const)(
    'expects a part that an earlier run read, whatever its state: %s',
    (state) => {
      const judged = (was_read: boolean) => {
        const part: Part = { name: 'PROM001', state, reason: 'no data', ...(was_read && { was_read }) }
        return judge(onChanges, '', { run: runMissing([part]) }).rules.map(({ verdict }) => verdict)
      }
      const isRead = state === 'read' || state === 'not_asked'
      expect(new Set(judged(true))).toEqual(new Set([isRead ? 'passed' : 'undecided']))
      expect(new Set(judged(false))).toEqual(new Set(['passed']))
    },
  )

  test('expects a namespace that an earlier run read', () => {
    const left = { left_out: ['shop', 'kube-system'] }
    expect(judge(['new>=high'], '', { run: runMissing([], left) }).verdict).toBe('passed')
    const { rules, causes } = judge(['new>=high'], '', { run: runMissing([], { ...left, were_read: ['shop'] }) })
    expect(rules[0]).toMatchObject({ verdict: 'undecided', reason: 'Not read: 1 left out (namespace shop)' })
    expect(causes).toMatchObject([
      {
        cure: 'Scan namespace shop again: an earlier scan read it',
        line: '- {place: shop, cluster: shop, until: 2026-10-01}',
      },
    ])
  })

  test('does not ask for what cannot carry the severity', () => {
    const part = (severity: 'medium' | 'high' | 'unknown'): Part => ({
      name: 'WRK001',
      state: 'failed',
      was_read: true,
      severity,
    })
    const judged = (severity: 'medium' | 'high' | 'unknown') =>
      judge(['new>=high'], '', { run: runMissing([part(severity)]) }).verdict
    expect([judged('medium'), judged('high'), judged('unknown')]).toEqual(['passed', 'undecided', 'undecided'])
  })

  test('expects a report of each workload that had one', () => {
    const gone: IncomparableFindings = { reason: 'report_missing', check_id: 'KSV001', check_name: 'KSV001', count: 2 }
    const comparison = comparisonWith({ incomparable_findings: [gone] })
    expect(judge(['new>=high'], '', { comparison }).verdict).toBe('undecided')
  })

  test('fails all the same', () => {
    const comparison = comparisonWith({ new_findings: [findingWith()] })
    const run = runMissing([{ name: 'PROM001', state: 'failed', was_read: true }])
    expect(judge(['new>=high'], '', { comparison, run }).verdict).toBe('failed')
  })

  test('names findings that were first looked at, and does not count them', () => {
    const comparison = comparisonWith({ first_seen_findings: [findingWith({ severity: 'critical' })] })
    expect(judge(['new>=high'], '', { comparison }).rules[0]).toMatchObject({
      verdict: 'passed',
      notes: ['1 finding first looked at, where no scan had looked before'],
    })
  })
})

describe('an absolute rule', () => {
  const judged = (rule: string, part: Part, more = {}) =>
    judge([rule], '', { run: runMissing([part], {}, more) }).verdict

  test('asks for what failed or was forbidden from the first day; what was left out from the first day is scope', () => {
    expect(judged('findings>=high', { name: 'SEC001', state: 'failed' })).toBe('undecided')
    expect(judged('findings>=high', forbidden('SEC001', 'secrets'))).toBe('undecided')
    expect(judged('findings>=high', { name: 'SEC001', state: 'left_out' })).toBe('passed')
    expect(judged('findings>=high', { name: 'SEC001', state: 'left_out', was_read: true })).toBe('undecided')
    expect(judged('findings>=high', { name: 'SEC001', state: 'not_asked' })).toBe('passed')
  })

  test('counts open findings of what was not read now, as they stand', () => {
    const unread = comparisonWith({ not_looked_at_findings: [findingWith()], at_rest_findings: [findingWith()] })
    expect(judge(['findings>=high'], '', { comparison: unread }).rules[0]).toMatchObject({
      verdict: 'failed',
      evidence_total: 2,
    })
  })

  test('on the score asks whether it would be too low with all unread checks failed', () => {
    const part: Part = { name: 'WRK001', state: 'failed' }
    expect(judged('score<70', part, { score_floor: 75 })).toBe('passed')
    expect(judged('score<70', part, { score_floor: 65 })).toBe('undecided')
    expect(judged('score<90', part, { score_floor: 65 })).toBe('failed')
  })

  test('on artifacts asks for namespaces', () => {
    const run = runMissing([{ name: 'WRK001', state: 'failed' }])
    expect(judge(onOthers, '', { run }).verdict).toBe('passed')
    const open = judge(onOthers, '', { run: runMissing([], { forbidden: ['shop'] }) })
    expect(open.rules.map(({ verdict }) => verdict)).toEqual(['passed', 'undecided', 'undecided'])
  })

  test('on AKS asks for checks of AKS', () => {
    const aks_readiness = { status: 'ready', label: 'Ready', blocker_count: 0, skipped: false, blockers: [] }
    const verdictBy = (name: string) =>
      judged('aks-blockers>0', { name, state: 'failed' }, { aks_readiness: { ...aks_readiness, message: null } })
    expect([verdictBy('PROM001'), verdictBy('AKS001')]).toEqual(['passed', 'undecided'])
  })
})

describe('lines of undecided', () => {
  const run = runMissing([forbidden('SEC001', 'secrets'), forbidden('SEC002', 'secrets'), forbidden('SEC003', 'roles')])
  const judged = (lines: string) => judge(['findings>=high'], `undecided: ${lines}`, { run })

  test.each([
    ['[{part: SEC*, until: 2026-09-01}]', 'passed'],
    ['[{part: [SEC001, SEC002, SEC003], cluster: shop, until: 2026-09-01}]', 'passed'],
    ['[{forbidden: [secrets, roles], until: 2026-09-01}]', 'passed'],
    ['[{forbidden: secrets, until: 2026-09-01}]', 'undecided'],
    ['[{part: SEC001, until: 2026-09-01}]', 'undecided'],
    ['[{part: SEC*, cluster: bank, until: 2026-09-01}]', 'undecided'],
    ['[{part: SEC*, until: 2026-08-31}]', 'undecided'],
    ['[{place: SEC*, until: 2026-09-01}]', 'undecided'],
  ])('%s: %s', (lines, verdict) => {
    expect(judged(lines).verdict).toBe(verdict)
  })

  test('make a rule pass that nobody decided, and say which line did', () => {
    const result = judged('[{part: SEC*, until: 2026-09-01}]')
    const told = 'Not known, and accepted by relt.yaml:2: Not read: 3 forbidden (SEC001, SEC002 and 1 more)'
    expect(result.rules[0]).toMatchObject({
      verdict: 'passed',
      allowed_unknown: expect.stringContaining('relt.yaml:2'),
    })
    expect(result.rules[0]!.notes[0]!.startsWith(told.slice(0, 50))).toBe(true)
    expect(viewGate({ ...result, run: result }).state).toBe('undecided')
    expect(result.undecided_lines.used).toMatchObject([{ source: 'relt.yaml:2', matched: 3 }])
  })

  test('one for each cause is proposed, with its cure, never a pattern', () => {
    const { causes } = judge(['findings>=high', 'score<10'], '', { run })
    expect(causes).toMatchObject([
      {
        rules: ['findings>=high', 'score<10'],
        parts: ['SEC001', 'SEC002'],
        cure: 'Grant the scanner the verbs get and list on secrets',
        line: '- {forbidden: secrets, cluster: shop, until: 2026-10-01}',
      },
      { line: '- {forbidden: roles, cluster: shop, until: 2026-10-01}' },
    ])
  })

  test('what is proposed decides', () => {
    const parts = Array.from(
      { length: 25 },
      (_, i): Part => ({ name: `WRK${i}`, state: 'failed', reason: 'timed out' }),
    )
    const { causes } = judge(['findings>=high'], '', { run: runMissing([...parts, forbidden('SEC001', 'secrets')]) })
    expect(causes.map(({ line }) => line!.length < 200)).toEqual([true, true])
    const one = runMissing([parts[0]!, forbidden('SEC001', 'secrets')])
    const { causes: few } = judge(['findings>=high'], '', { run: one })
    const lines = few.map(({ line }) => line).join('\n')
    expect(judge(['findings>=high'], `undecided:\n${lines}`, { run: one }).verdict).toBe('passed')
  })
})

test('a check that a fault of the scanner prevents decides nothing, and is named once', () => {
  const faulty = { ...notRun('NET019'), known_fault: 'its operator is unknown (KubeBuddy)' }
  const passed = judge(['findings>=high'], '', { run: runWith({ checks_not_run: [faulty], not_run_checks: 1 }) })
  expect(passed).toMatchObject({ verdict: 'passed', not_run_checks: 1, known_faults: 1 })
  expect(JSON.stringify(passed).split('NET019')).toHaveLength(2)
  expect(viewGate({ ...passed, run: passed })).toMatchObject({ state: 'passed', gaps: [] })
})

test('a server without ledgers names the checks that did not run, or only counts them', () => {
  const named = runWith({ checks_not_run: [notRun('A1')], not_run_checks: 1 })
  for (const run of [named, runWith({ not_run_checks: 2 })])
    expect(judge(['findings>=high', 'new>=high'], '', { run }).verdict).toBe('undecided')
  expect(judge(['findings>=high'], 'undecided: [{part: "*", until: 2026-09-01}]', { run: named }).verdict).toBe(
    'passed',
  )
  expect(judge(['findings>=high'], '', { run: runWith({ not_run_checks: 0 }) }).verdict).toBe('passed')
})

describe('findings that cannot be compared', () => {
  const group = (check_id: string, count: number, more: Partial<IncomparableFindings> = {}): IncomparableFindings => {
    return { reason: 'check_not_run', check_id, check_name: `Name of ${check_id}`, count, ...more }
  }
  const toComparison = (groups: IncomparableFindings[], more = {}) =>
    comparisonWith({
      incomparable_findings: groups,
      incomparable_findings_count: groups.reduce((sum, { count }) => sum + count, 0),
      ...more,
    })

  test('are noted with the reasons', () => {
    const comparison = toComparison([
      group('PROM001', 4),
      group('PROM002', 1),
      group('SEC001', 5, { reason: 'check_not_in_scope' }),
      group('SEC002', 2, { reason: 'namespace_not_in_scope' }),
    ])
    expect(judge(['new>=high'], '', { comparison }).rules[0]!.notes).toContain(
      '12 findings are not compared: 5 of checks that did not run (PROM001, PROM002), ' +
        '5 of checks out of scope (SEC001), 2 in namespaces out of scope',
    )
  })

  test('say how to state what Trivy leaves out of its report', () => {
    const groups = [group('aws', 1, { reason: 'part_not_in_run' })]
    const notesOf = (format: 'trivy' | 'popeye') =>
      judge(['new>=high'], '', {
        comparison: toComparison(groups, { from: runWith({ format }), to: runWith({ format }) }),
      }).rules[0]!.notes
    expect(notesOf('trivy')?.join()).toContain('--looked-at vuln,secret')
    expect(notesOf('popeye')?.join()).not.toContain('--looked-at')
  })

  test('leave rules about changes undecided when another scanner ran before', () => {
    const from = runWith({ run_id: 'crun_b', format: 'popeye' })
    expect(judge(['new>=high'], '', { comparison: comparisonWith({ from }) }).rules[0]).toMatchObject({
      verdict: 'undecided',
      reason: 'The baseline is a run of another scanner, so its findings cannot be compared',
    })
  })
})

describe('a report of which nothing could be read', () => {
  test('passes no rule on findings; rules on artifacts need only an inventory', () => {
    const run = runWith({ total_checks: 0, failed_checks: 0, passed_checks: 0, score: null })
    const { rules } = judge(
      [...onChanges, 'findings>=high', 'score<10', ...onOthers],
      'undecided: [{part: "*", until: 2099-01-01}]',
      { run },
    )
    expect(rules.map(({ verdict }) => verdict)).toEqual([...Array(6).fill('undecided'), ...Array(3).fill('passed')])
    const bare = { ...run, artifacts: { images: 0, helm_charts: 0, apps: 0 } }
    for (const rule of judge(onOthers, '', { run: bare }).rules)
      expect(rule).toMatchObject({ verdict: 'undecided', reason: 'Nothing in the report was understood' })
  })
})

describe('a finding that is not new', () => {
  test('a suppressed finding counts for no rule, and is noted', () => {
    const suppressed = { reason: 'accepted', until: null }
    const findings = [{ ...findingWith(), count: 2, suppressed }]
    expect(judge(['findings>=high'], '', { findings }).rules[0]).toMatchObject({
      verdict: 'passed',
      notes: ['1 suppressed finding not counted'],
    })
    const open = [...findings, { ...findingWith(), count: 1 }]
    expect(judge(['findings>=high'], '', { findings: open }).verdict).toBe('failed')
  })

  test('a changed finding fails no rule on new; one that got worse is regressed', () => {
    const state = { message: 'a', value: null }
    const changed_findings = [{ ...findingWith(), from: state, to: state }]
    const changed = comparisonWith({ changed_findings, changed_findings_count: 1 })
    expect(judge(['new>=low', 'regressed>=low'], '', { comparison: changed }).verdict).toBe('passed')
    const worse = comparisonWith({ regressed_findings: [{ ...findingWith(), from: state, to: state }] })
    expect(
      judge(['new>=low', 'regressed>=low'], '', { comparison: worse }).rules.map(({ verdict }) => verdict),
    ).toEqual(['passed', 'failed'])
  })
})
