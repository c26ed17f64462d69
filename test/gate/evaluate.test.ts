import { describe, expect, test } from 'vitest'
import type { GateEvidence } from '../../src/gate/evaluate.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { changesOf, comparisonWith, findingWith, freshnessFor, itemWith, now, policyFor, runWith } from './evidence.ts'

/** Verdict and reason of one rule. */
function judge(rule: string, evidence: Partial<GateEvidence>, exceptions = '') {
  const changes = evidence.comparison ? { changes: changesOf([rule], evidence.comparison) } : {}
  return evaluateGate(policyFor([rule], exceptions), { run: runWith(), ...changes, ...evidence }, now).rules[0]!
}

const fresh = (...items: Parameters<typeof itemWith>[0][]) => ({ freshness: freshnessFor(items.map(itemWith)) })

describe('of what another server does not say', () => {
  test('a severity leaves a rule undecided, unless the others decide it', () => {
    const unrated = { ...findingWith(), severity: null }
    const judged = (rule: string, ...new_findings: NonNullable<GateEvidence['comparison']>['new_findings']) =>
      judge(rule, { comparison: { ...comparisonWith(), new_findings } })
    expect(judged('new>=high', unrated)).toMatchObject({
      verdict: 'undecided',
      reason: '0 new findings at or above high; 0 allowed. The severity of 1 more is unknown: SEC001',
    })
    expect(judged('new>=high', unrated, findingWith({ severity: 'critical' })).verdict).toBe('failed')
    expect(judged('new>=high', findingWith({ severity: 'low' })).verdict).toBe('passed')
  })

  test('an exception lets a finding of unknown severity pass', () => {
    const unrated = { ...findingWith({ check_id: 'SEC001' }), severity: null }
    const comparison = { ...comparisonWith(), new_findings: [unrated] }
    const exceptions = '- {check: SEC001, reason: accepted, expires: 2099-01-01}'
    expect(judge('new>=high', { comparison }, exceptions).verdict).toBe('passed')
  })

  test('missing fixes leave security-behind undecided, but not of what is up to date', () => {
    const item = (status: 'up_to_date' | 'minor_behind') => ({ ...itemWith({ status }), security_fixes_between: null })
    const judged = (...items: ReturnType<typeof item>[]) =>
      judge('security-behind>=low', { freshness: { ...freshnessFor([]), items } })
    expect(judged(item('up_to_date'), item('minor_behind'))).toMatchObject({
      verdict: 'undecided',
      reason: expect.stringContaining('The server does not report the missing fixes of 1 artifact'),
    })
    expect(judged(item('up_to_date')).verdict).toBe('passed')
  })

  test('what runs is taken from its freshness, and none at all decides nothing', () => {
    const run = { ...runWith(), artifacts: null }
    const freshness = freshnessFor([itemWith({ status: 'major_behind' })])
    expect(judge('major-behind>0', { run, freshness }).verdict).toBe('failed')
    expect(judge('major-behind>0', { run, freshness: freshnessFor([]) }).verdict).toBe('undecided')
  })

  test('a run that the server still works on decides nothing', () => {
    expect(judge('score<80', { run: { ...runWith({ score: 90 }), processing_status: 'processing' } })).toMatchObject({
      verdict: 'undecided',
      reason: 'The server has not finished with the run: processing',
    })
  })
})

describe('a rule', () => {
  test.each([
    ['score<80', 80, 'passed', 'The score is 80; the minimum is 80'],
    ['score<80', 79.5, 'failed', 'The score is 79.5; the minimum is 80'],
    ['score<80', null, 'undecided', 'The run has no score'],
  ])('%s with score %s: %s', (rule, score, verdict, reason) => {
    expect(judge(rule, { run: runWith({ score }) })).toMatchObject({ verdict, reason })
  })

  test.each([
    [-10, 'failed', 'The score went from 90 to 80; it may drop by 5'],
    [-5, 'passed', 'The score went from 90 to 80; it may drop by 5'],
    [3, 'passed', 'The score went from 90 to 80; it may drop by 5'],
  ])('score-drop>5 with a change of %s: %s', (score_delta, verdict, reason) => {
    expect(judge('score-drop>5', { comparison: comparisonWith({ score_delta }) })).toMatchObject({ verdict, reason })
  })

  test('score-drop is undecided where a run has no score, and says which', () => {
    const without = runWith({ score: null })
    const judged = (more: object) =>
      judge('score-drop>5', { comparison: comparisonWith({ score_delta: null, ...more }) })
    expect(judged({ from: without })).toMatchObject({
      verdict: 'undecided',
      reason: 'The baseline has no score',
    })
    expect(judged({ to: without })).toMatchObject({
      verdict: 'undecided',
      reason: 'The run has no score',
    })
    expect(judged({}).reason).toBe('The two scans did not look at the same, so their scores cannot be compared')
  })

  test('new and regressed count at or above a severity, and list the worst first', () => {
    const high = findingWith({ severity: 'high' })
    const critical = findingWith({ severity: 'critical' })
    const comparison = comparisonWith({
      new_findings: [findingWith({ severity: 'medium' }), high, critical],
      regressed_findings: [findingWith({ severity: 'low' })],
    })
    const judged = judge('new>=high', { comparison })
    expect(judged).toMatchObject({
      verdict: 'failed',
      reason: '2 new findings at or above high; 0 allowed',
      evidence_total: 2,
    })
    expect(judged.evidence.map((violation) => violation.fingerprint)).toEqual([critical.fingerprint, high.fingerprint])
    expect(judge('new>=high>2', { comparison }).verdict).toBe('passed')
    expect(judge('new>=high>1', { comparison }).verdict).toBe('failed')
    expect(judge('regressed>=medium', { comparison }).verdict).toBe('passed')
    expect(judge('regressed>=low', { comparison }).verdict).toBe('failed')
  })

  test('what cannot be compared is noted', () => {
    const comparison = comparisonWith({ incomparable_findings_count: 12 })
    expect(judge('new>=high', { comparison }).notes).toEqual([
      '12 findings are not compared: the scope of the scan differs',
    ])
  })

  test('evidence is bounded, its number is not', () => {
    const new_findings = Array.from({ length: 500 }, () => findingWith())
    const { evidence, evidence_total } = judge('new>=high', { comparison: comparisonWith({ new_findings }) })
    expect({ shown: evidence.length, evidence_total }).toEqual({ shown: 20, evidence_total: 500 })
  })

  test('findings counts what the scanner counts', () => {
    const findings = [
      { ...findingWith(), count: 3 },
      { ...findingWith({ severity: 'info' }), count: 9 },
    ]
    expect(judge('findings>=high>2', { findings })).toMatchObject({
      verdict: 'failed',
      reason: '3 findings at or above high; 2 allowed',
      evidence: { length: 1 },
      evidence_total: 1,
    })
    expect(judge('findings>=high>3', { findings }).verdict).toBe('passed')
    expect(judge('findings>=high', {}).verdict).toBe('undecided')
  })

  test('major-behind counts artifacts, and notes what nothing is known of', () => {
    const evidence = fresh({}, { status: 'minor_behind' }, { status: 'unknown' })
    expect(judge('major-behind>0', evidence)).toMatchObject({
      verdict: 'failed',
      reason: '1 artifact a major version behind; 0 allowed',
      evidence: [{ kind: 'artifact', id: 'docker.io/library/nginx:1.27.3', message: '1.27.3 < 2.0.1' }],
      notes: ['Releases are known for 2 of 3 artifacts'],
    })
    expect(judge('major-behind>1', evidence).verdict).toBe('passed')
  })

  test('eol counts what is past the end of life', () => {
    const eol = { cycle: '13', date: '2025-11-13', is_eol: true }
    const evidence = fresh({ eol }, { eol: { ...eol, is_eol: false } }, {})
    expect(judge('eol', evidence)).toMatchObject({
      verdict: 'failed',
      reason: '1 artifact past the end of life; 0 allowed',
      evidence: [{ kind: 'artifact', message: 'Support of 13 ended on 2025-11-13' }],
      evidence_total: 1,
    })
    const undated = fresh({ eol: { ...eol, date: null, is_lts: true } })
    expect(judge('eol', undated).evidence[0]!.message).toBe('Support of 13 (LTS) has ended')
    expect(judge('eol>1', evidence).verdict).toBe('passed')
    expect(judge('eol', fresh({}))).toMatchObject({
      verdict: 'undecided',
      reason: 'Ends of support are known for none of 1 artifact',
    })
  })

  test('security-behind counts fixes at or above a severity, and those whose severity nobody told', () => {
    const rule = 'security-behind>=high'
    const fix = (severity: 'none' | 'medium' | 'high') =>
      judge(rule, fresh({ security_fixes_between: 1, highest_severity_between: severity })).verdict
    expect([fix('high'), fix('none'), fix('medium')]).toEqual(['failed', 'failed', 'passed'])
    expect(judge(rule, fresh({}))).toMatchObject({
      verdict: 'passed',
      notes: ['1 artifact behind without a security fix in between that the catalog knows'],
    })
    expect(judge(rule, fresh({ status: 'up_to_date' }))).toMatchObject({ verdict: 'passed', notes: [] })
  })

  test('artifact rules are undecided without an inventory, without freshness, and where all is unknown', () => {
    const run = runWith({ artifacts: { images: 0, helm_charts: 0, apps: 0 } })
    const judged = [
      judge('major-behind>0', { run, ...fresh({ status: 'up_to_date' }) }),
      judge('major-behind>0', {}),
      judge('security-behind>=low', fresh({ status: 'unknown' })),
    ]
    expect(judged.map(({ verdict, reason }) => [verdict, reason])).toEqual([
      ['undecided', 'The run does not list the artifacts of the cluster'],
      ['undecided', 'Freshness is not available'],
      ['undecided', 'Security facts are known for none of 1 artifact'],
    ])
  })

  test.each([
    ['v1.35.2', 'passed', 'Kubernetes 1.35 has upstream support until 2027-02-28'],
    ['1.33.6-gke.2700', 'failed', 'GKE support of Kubernetes 1.33 ended on 2026-08-03'],
    ['v1.3.0+k3s1', 'failed', 'Upstream support of Kubernetes 1.3 ended on 2016-11-01'],
    [
      'v1.99.0',
      'undecided',
      'The end of support of Kubernetes v1.99.0 is unknown: the dates of 2026-09-15 lack Kubernetes 1.99',
    ],
    ['latest', 'undecided', 'The end of support of Kubernetes latest is unknown: it is no version of Kubernetes'],
    [null, 'undecided', 'The run does not state its Kubernetes version'],
  ])('kubernetes-eol with %s: %s', (kubernetes_version, verdict, reason) => {
    expect(judge('kubernetes-eol', { run: runWith({ kubernetes_version }) })).toMatchObject({ verdict, reason })
  })

  test.each([
    [{ date: '2026-08-31', is_eol: false }, 'failed', 'Support of Kubernetes 1.35 ended on 2026-08-31'],
    [{ date: '2026-09-01', is_eol: true }, 'passed', 'Kubernetes 1.35 is supported until 2026-09-01'],
    [{ date: null, is_eol: true }, 'failed', 'Support of Kubernetes 1.35 has ended'],
    [{ date: null, is_eol: false }, 'passed', 'Kubernetes 1.35 is supported; no end is announced'],
  ])('kubernetes-eol goes by what the catalog tells, %j, before the bundled dates', (told, verdict, reason) => {
    const evidence = fresh({ artifact_type: 'kubernetes', eol: { cycle: '1.35', ...told } })
    expect(judge('kubernetes-eol', evidence)).toMatchObject({ verdict, reason })
  })

  test('kubernetes-eol goes by the bundled dates where the catalog tells nothing', () => {
    const reason = 'Kubernetes 1.35 has upstream support until 2027-02-28'
    expect(judge('kubernetes-eol', fresh({ artifact_type: 'kubernetes' }))).toMatchObject({ verdict: 'passed', reason })
  })

  test('kubernetes-eol passes on the last day and fails on the next', () => {
    const run = runWith({ kubernetes_version: 'v1.34.1' })
    const on = (day: string) =>
      evaluateGate(policyFor(['kubernetes-eol']), { run }, Date.parse(`${day}T23:59:59Z`) / 1000).verdict
    expect([on('2026-10-27'), on('2026-10-28')]).toEqual(['passed', 'failed'])
  })
})

describe('without a baseline', () => {
  test.each(['score-drop>5', 'new>=high', 'regressed>=low'])('%s is undecided, and says what begins one', (rule) => {
    const result = evaluateGate(policyFor([rule]), { run: runWith() }, now)
    expect(result.rules[0]).toMatchObject({
      verdict: 'undecided',
      reason: 'Nothing to compare with: no run passed this rule, and no person began a baseline',
    })
    expect(result.causes).toMatchObject([
      { cure: 'Take in what stands: relt gate baseline crun_a --reason TEXT', line: 'begin: 2026-09-01' },
    ])
  })

  test('a subject that is new in its cluster has no score to fall from', () => {
    const changes = changesOf(['score-drop>5'], comparisonWith({ score_delta: 0 }), {
      why: 'new_subject',
      run_id: null,
    })
    expect(judge('score-drop>5', { changes })).toMatchObject({ verdict: 'passed', moves: { held: [] } })
  })
})

describe('a baseline moves', () => {
  const moves = (rule: string, comparison: ReturnType<typeof comparisonWith>, more: object = {}, exceptions = '') =>
    judge(rule, { changes: changesOf([rule], comparison, more) }, exceptions).moves
  const none = comparisonWith({ score_delta: 0 })
  const risen = comparisonWith({ score_delta: 1 })
  const fallen = comparisonWith({ score_delta: -1 })
  const one = comparisonWith({ new_findings: [findingWith({ fingerprint: 'a'.repeat(32), check_id: 'SEC003' })] })

  test('where a rule passes and uses none of its allowance', () => {
    expect(moves('new>=high', none)).toEqual({ held: [] })
    expect(moves('new>=high>1', none)).toEqual({ held: [] })
    expect(moves('new>=high>1', one)).toBeUndefined()
    expect(moves('new>=high', one)).toBeUndefined()
    expect(moves('score-drop>5', risen)).toEqual({ held: [] })
    expect(moves('score-drop>5', fallen)).toBeUndefined()
  })

  test('only against its own', () => {
    for (const why of ['asked', 'previous']) expect(moves('new>=high', none, { why })).toBeUndefined()
    for (const why of ['passed', 'taken_in', 'begun', 'begins', 'new_subject'])
      expect(moves('new>=high', none, { why })).toEqual({ held: [] })
  })

  test('without what an exception lets pass, or a day', () => {
    const exceptions = '- {check: SEC003, reason: x, expires: 2026-09-01}'
    expect(moves('new>=high', one, {}, exceptions)).toEqual({ held: [{ fingerprint: 'a'.repeat(32), until: null }] })
    const takenIn = { comparison: none, until: '2026-10-01', by: 'ada' }
    expect(moves('new>=high', one, { takenIn })).toEqual({
      held: [{ fingerprint: 'a'.repeat(32), until: '2026-10-01' }],
    })
    const notTaken = { ...takenIn, comparison: one }
    expect(moves('new>=high', one, { takenIn: notTaken })).toBeUndefined()
  })

  test('what it held back counts, until its day or while an exception accepts it', () => {
    const held_findings = [findingWith({ fingerprint: 'b'.repeat(32), check_id: 'SEC003' })]
    const judged = (until: string | null, exceptions = '') => {
      const changes = changesOf(['new>=high'], comparisonWith({ held_findings }), {
        held: [{ fingerprint: 'b'.repeat(32), until }],
      })
      return judge('new>=high', { changes }, exceptions).verdict
    }
    expect(judged(null)).toBe('failed')
    expect(judged(null, '- {check: SEC003, reason: x, expires: 2026-09-01}')).toBe('passed')
    expect(judged('2026-09-01')).toBe('passed')
    expect(judged('2026-08-31')).toBe('failed')
  })
})

describe('the gate', () => {
  const verdictFor = (rules: string[]) => evaluateGate(policyFor(rules), { run: runWith({ score: 70 }) }, now).verdict

  test('fails when a rule fails, whatever else is undecided; is undecided before it passes', () => {
    expect(verdictFor(['score<60'])).toBe('passed')
    expect(verdictFor(['score<60', 'new>=high'])).toBe('undecided')
    expect(verdictFor(['new>=high', 'score<80'])).toBe('failed')
  })
})

describe('an exception', () => {
  const root = findingWith({ check_id: 'SEC003', namespace: 'shop', resource: 'pod/web-1', severity: 'critical' })
  const other = findingWith({ check_id: 'SEC004', namespace: null, resource: null })
  const evidence = { comparison: comparisonWith({ new_findings: [root, other] }) }
  const left = (exceptions: string) =>
    judge('new>=high', evidence, exceptions).evidence.map((violation) => violation.id)

  test.each([
    [`- {fingerprint: ${root.fingerprint}, reason: x, expires: 2026-09-01}`, ['SEC004']],
    ['- {check: SEC003, reason: x, expires: 2026-09-01}', ['SEC004']],
    ['- {check: SEC*, namespace: sh*, resource: pod/*, reason: x, expires: 2026-09-01}', ['SEC004']],
    ['- {check: SEC003, namespace: bank, reason: x, expires: 2026-09-01}', ['SEC003', 'SEC004']],
    ['- {check: SEC003, resource: pod/api-*, reason: x, expires: 2026-09-01}', ['SEC003', 'SEC004']],
    ['- {namespace: "*", reason: x, expires: 2026-09-01}', []],
    ['- {artifact: "*", reason: x, expires: 2026-09-01}', ['SEC003', 'SEC004']],
    ['- {check: "*", reason: x, expires: 2026-08-31}', ['SEC003', 'SEC004']],
  ])('%s leaves %j', (exceptions, ids) => {
    expect(left(exceptions)).toEqual(ids)
  })

  test('lets artifacts pass by their key, Kubernetes too', () => {
    const exceptions = '- {artifact: "*/nginx:*", namespace: shop, reason: x, expires: 2026-12-31}'
    expect(judge('major-behind>0', fresh({}), exceptions)).toMatchObject({ verdict: 'passed', excepted: 1 })
    expect(judge('major-behind>0', fresh({ namespace: 'bank' }), exceptions).verdict).toBe('failed')
    const run = runWith({ kubernetes_version: 'v1.33.6' })
    const eol = '- {artifact: kubernetes@v1.33.*, reason: x, expires: 2026-12-31}'
    expect(judge('kubernetes-eol', { run }, eol)).toMatchObject({
      verdict: 'passed',
      reason: 'Upstream support of Kubernetes 1.33 ended on 2026-06-28; excepted until 2026-12-31',
    })
  })

  test('is told as used, unused or expired, with how much it met', () => {
    const exceptions = [
      '- {check: SEC003, reason: used, expires: 2026-09-01}',
      '- {check: SEC999, reason: unused, expires: 2026-09-01}',
      '- {check: "*", reason: expired, expires: 2026-08-31}',
    ].join('\n')
    const findings = [{ ...root, count: 1 }]
    const policy = policyFor(['new>=high', 'findings>=high'], exceptions)
    const { exceptions: uses, rules } = evaluateGate(
      policy,
      { run: runWith(), ...evidence, changes: changesOf(['new>=high'], evidence.comparison), findings },
      now,
    )
    expect(uses).toMatchObject({
      used: [{ reason: 'used', matched: 1 }],
      unused: [{ reason: 'unused', matched: 0 }],
      expired: [{ reason: 'expired', matched: 2 }],
    })
    expect(rules.map(({ verdict, excepted }) => [verdict, excepted])).toEqual([
      ['failed', 1],
      ['passed', 1],
    ])
  })

  test('counts as often as the scanner counts what it meets', () => {
    const findings = [{ ...root, count: 3 }]
    const exceptions = '- {check: SEC003, reason: x, expires: 2026-09-01}'
    expect(judge('findings>=high', { findings }, exceptions)).toMatchObject({ verdict: 'passed', excepted: 3 })
  })
})
