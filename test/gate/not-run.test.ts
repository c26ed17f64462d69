import { describe, expect, test } from 'vitest'
import type { IncomparableFindings } from '../../src/contract/cluster-report.ts'
import { evaluateGate, type GateEvidence } from '../../src/gate/evaluate.ts'
import { viewGate } from '../../src/views/gate.ts'
import { comparisonWith, findingWith, freshnessFor, itemWith, notRun, now, policyWith, runWith } from './evidence.ts'

const onChecks = ['score<10', 'score-drop>50', 'new>=high', 'regressed>=high', 'findings>=high']
const onOthers = ['kubernetes-eol', 'major-behind>1', 'eol>1']

function judge(rules: string[], members: string, evidence: Partial<GateEvidence>) {
  const eol = { cycle: '1', date: null, is_eol: false }
  const freshness = freshnessFor([itemWith({ eol })])
  const whole = { run: runWith(), comparison: comparisonWith(), findings: [], freshness, ...evidence }
  return evaluateGate(policyWith(rules, members || 'fail_on: []'), whole, now)
}

const runNotRunning = (...ids: string[]) => {
  const checks_not_run = ids.map((id) => notRun(id))
  return runWith({ checks_not_run, not_run_checks: checks_not_run.length })
}
const group = (check_id: string, count: number, more: Partial<IncomparableFindings> = {}): IncomparableFindings => {
  return { reason: 'check_not_run', check_id, check_name: `Name of ${check_id}`, count, ...more }
}
const toComparison = (groups: IncomparableFindings[], more = {}) =>
  comparisonWith({
    incomparable_findings: groups,
    incomparable_findings_count: groups.reduce((sum, { count }) => sum + count, 0),
    ...more,
  })

describe('a check that did not run', () => {
  test('leaves every rule that rests on checks undecided, and names itself', () => {
    const { verdict, rules } = judge([...onChecks, ...onOthers], '', { run: runNotRunning('PROM001') })
    expect(verdict).toBe('undecided')
    const open = rules.filter((rule) => rule.verdict === 'undecided')
    expect(open.map(({ rule }) => rule)).toEqual(onChecks)
    expect(new Set(open.map(({ reason }) => reason))).toEqual(
      new Set(['1 check did not run: Name of PROM001 (PROM001)']),
    )
    expect(rules.filter((rule) => rule.verdict === 'passed').map(({ rule }) => rule)).toEqual(onOthers)
  })

  test('names the first few of many', () => {
    const run = runNotRunning('A1', 'A2', 'A3', 'A4', 'A5', 'A6')
    expect(judge(['score<10'], '', { run }).rules[0]!.reason).toBe(
      '6 checks did not run: Name of A1 (A1), Name of A2 (A2), Name of A3 (A3) and 3 more',
    )
  })

  test('does not undo a failure, and is noted with it', () => {
    const [score] = judge(['score<90'], '', { run: runNotRunning('PROM001') }).rules
    expect(score).toMatchObject({
      verdict: 'failed',
      notes: ['1 check did not run: Name of PROM001 (PROM001)'],
    })
  })

  test('counts also where the server only counts it, or names too few', () => {
    for (const run of [runWith({ not_run_checks: 2 }), { ...runNotRunning('A1'), not_run_checks: 3 }]) {
      const { verdict, rules } = judge(onChecks, 'accept_not_run: ["*"]', { run })
      expect(verdict).toBe('undecided')
      expect(rules[0]!.reason).toBe('2 checks did not run, and the server does not name them')
    }
    expect(judge(onChecks, '', { run: runWith({ not_run_checks: 0 }) }).verdict).toBe('passed')
  })

  test('leaves a first run undecided, even where a first run passes', () => {
    const evidence = { run: runNotRunning('A1'), comparison: undefined }
    expect(judge(['new>=high'], 'first_run: pass', evidence).verdict).toBe('undecided')
  })
})

test('a check that a fault of the scanner prevents decides nothing, and is named once', () => {
  const faulty = { ...notRun('NET019'), known_fault: 'its operator is unknown (KubeBuddy)' }
  const judgeWith = (...checks_not_run: (typeof faulty)[]) =>
    judge(onChecks, '', { run: runWith({ checks_not_run, not_run_checks: checks_not_run.length }) })
  const passed = judgeWith(faulty)
  expect(passed).toMatchObject({ verdict: 'passed', not_run_checks: 1, known_faults: 1 })
  expect(JSON.stringify(passed).split('NET019')).toHaveLength(2)
  expect(viewGate({ ...passed, accept_scope: [], run: passed })).toMatchObject({ state: 'passed', gaps: [] })

  const open = judge(onChecks, '', { run: runWith({ checks_not_run: [faulty, notRun('A1')], not_run_checks: 2 }) })
  expect(open.rules[0]!.reason).toBe('1 check did not run: Name of A1 (A1)')
})

describe('accept_not_run', () => {
  test.each([
    ['["PROM*"]', 'passed'],
    ['[PROM001, PROM002]', 'passed'],
    ['[{check: PROM*, reason: no Prometheus, expires: 2026-09-01}]', 'passed'],
    ['[PROM001]', 'undecided'],
    ['[prom*]', 'undecided'],
    ['[AKS*]', 'undecided'],
    ['[{check: PROM*, reason: no Prometheus, expires: 2026-08-31}]', 'undecided'],
  ])('%s: %s', (entries, verdict) => {
    const run = runNotRunning('PROM001', 'PROM002')
    expect(judge(onChecks, `accept_not_run: ${entries}`, { run }).verdict).toBe(verdict)
  })

  test('is said with each rule that needs it', () => {
    const { rules } = judge(['score<10', 'kubernetes-eol'], 'accept_not_run: ["PROM*"]', {
      run: runNotRunning('PROM001', 'PROM002'),
    })
    expect(rules.map(({ notes }) => notes)).toEqual([
      ['Allowed by the policy not to run: Name of PROM001 (PROM001), Name of PROM002 (PROM002)'],
      [],
    ])
  })

  test('names what of several is not accepted', () => {
    const run = runNotRunning('PROM001', 'AKS001')
    expect(judge(['score<10'], 'accept_not_run: ["PROM*"]', { run }).rules[0]!.reason).toBe(
      '1 check did not run: Name of AKS001 (AKS001)',
    )
  })

  test('is reported as used, unused or expired', () => {
    const entries = [
      'PROM*',
      'SEC*',
      '{check: "*", reason: was down, expires: 2026-08-31}',
      '{check: X, reason: x, expires: 2026-08-31}',
    ]
    const { accept_not_run } = judge(onChecks, `accept_not_run: [${entries.join(', ').replace('PROM*', '"PROM*"')}]`, {
      run: runNotRunning('PROM001', 'PROM002'),
    })
    expect(accept_not_run).toMatchObject({
      used: [{ check: 'PROM*', matched: 2 }],
      unused: [{ check: 'SEC*', matched: 0 }],
      expired: [
        { check: '*', reason: 'was down', matched: 2 },
        { check: 'X', matched: 0 },
      ],
    })
  })
})

describe('a check that did not run before', () => {
  const rules = ['new>=high', 'regressed>=high', 'score<10', 'findings>=high']

  test('leaves undecided what its findings may be', () => {
    const comparison = toComparison([group('PROM001', 4), group('PROM002', 3)])
    const result = judge(rules, '', { comparison })
    expect(result.rules.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided', 'passed', 'passed'])
    expect(result.rules[0]!.reason).toBe(
      '7 findings may be new, because their checks did not run before: Name of PROM001 (PROM001), Name of PROM002 (PROM002)',
    )
    expect(judge(rules, 'accept_not_run: ["PROM*"]', { comparison }).verdict).toBe('passed')
    expect(judge(rules, 'accept_not_run: [PROM001]', { comparison }).verdict).toBe('undecided')
  })

  test('is nothing where it finds nothing now', () => {
    const from = { ...runNotRunning('PROM001'), run_id: 'crun_b' }
    expect(judge(rules, '', { comparison: toComparison([group('PROM001', 0)], { from }) }).verdict).toBe('passed')
    expect(judge(rules, '', { comparison: toComparison([], { from }) }).verdict).toBe('passed')
  })

  test('counts as such where the server does not group what cannot be compared', () => {
    const from = { ...runNotRunning('PROM001'), run_id: 'crun_b' }
    const [first] = judge(rules, '', { comparison: comparisonWith({ from }) }).rules
    expect(first).toMatchObject({
      verdict: 'undecided',
      reason: 'In the earlier run 1 check did not run: Name of PROM001 (PROM001)',
    })
  })

  test('does not undo a new finding', () => {
    const comparison = toComparison([group('PROM001', 4)], { new_findings: [findingWith()] })
    expect(judge(['new>=high'], '', { comparison }).verdict).toBe('failed')
  })
})

describe('findings that cannot be compared', () => {
  test('are noted with the reasons', () => {
    const comparison = toComparison([
      group('PROM001', 4),
      group('PROM002', 1),
      group('SEC001', 5, { reason: 'check_not_in_scope' }),
      group('SEC002', 2, { reason: 'namespace_not_in_scope' }),
    ])
    expect(judge(['new>=high'], 'accept_not_run: ["PROM*"]', { comparison }).rules[0]!.notes).toContain(
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
      reason: 'The earlier run is from another scanner, so its findings cannot be compared',
    })
  })
})

describe('a report of which nothing could be read', () => {
  test('passes no rule', () => {
    const run = runWith({ total_checks: 0, failed_checks: 0, passed_checks: 0 })
    const { verdict, rules } = judge([...onChecks, ...onOthers], 'accept_not_run: ["*"]', { run })
    expect(verdict).toBe('undecided')
    for (const rule of rules) {
      expect(rule).toMatchObject({ verdict: 'undecided', reason: 'Nothing in the report was understood' })
    }
  })

  test('still fails what is broken', () => {
    const run = runWith({ total_checks: 0, score: 5 })
    expect(judge(['score<10'], '', { run }).verdict).toBe('failed')
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
