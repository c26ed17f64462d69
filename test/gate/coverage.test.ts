import { describe, expect, test } from 'vitest'
import type { Coverage, FreshnessItem } from '../../src/contract/freshness.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { advisoryWith, freshnessFor, itemWith, now, policyWith, runWith } from './evidence.ts'

const eol = { cycle: '1', date: null, is_eol: false }
const current = itemWith({ status: 'up_to_date', eol, security_facts: true })
const unknown = itemWith({ status: 'unknown', advisories_count: null })
const kubernetes = itemWith({ artifact_type: 'kubernetes', status: 'minor_behind', eol, security_facts: true })
/** By rule, an artifact with every fact but those that decide the rule. */
const lacking: Record<string, FreshnessItem> = {
  'major-behind>0': { ...current, status: 'unknown' },
  'security-behind>=low': { ...current, security_facts: false },
  'affected>=low': { ...current, advisories_count: null },
  'fixable>=low': { ...current, advisories_count: null },
  exploited: { ...current, advisories_count: null },
  eol: itemWith({ status: 'up_to_date', security_facts: true }),
}
const rules = ['major-behind>0', 'security-behind>=low', 'affected>=low', 'fixable>=low', 'exploited', 'eol']

interface Wanted {
  members?: string
  coverage?: Partial<Coverage>
}

function judge(rule: string, items: FreshnessItem[], { members = 'fail_on: []', coverage }: Wanted = {}) {
  const policy = policyWith([rule], members)
  return evaluateGate(policy, { run: runWith(), freshness: freshnessFor(items, coverage) }, now)
}

describe('a rule on artifacts', () => {
  test.each(rules)('%s is undecided when Kubernetes alone is known', (rule) => {
    expect(judge(rule, [kubernetes, unknown]).verdict).toBe('undecided')
    expect(judge(rule, [kubernetes, current]).verdict).toBe('passed')
  })

  test.each(rules)('%s asks for facts of its own kind, whatever else is known', (rule) => {
    expect(judge(rule, [kubernetes, lacking[rule]!, lacking[rule]!]).verdict).toBe('undecided')
    expect(judge(rule, [lacking[rule]!, current]).rules[0]).toMatchObject({
      verdict: 'passed',
      notes: [expect.stringMatching(/ are known for 1 of 2 artifacts$/)],
    })
  })

  test('fails on what is broken, whatever is unknown', () => {
    const ended = itemWith({ artifact_type: 'kubernetes', eol: { ...eol, is_eol: true } })
    expect(judge('eol', [ended, unknown]).verdict).toBe('failed')
    expect(judge('major-behind>0', [itemWith(), unknown]).verdict).toBe('failed')
  })

  test.each(rules)('%s is undecided when the inventory lacks a kind', (rule) => {
    const gaps = ['The inventory has no deployments: forbidden']
    const judged = judge(rule, [current], { coverage: { gaps } })
    expect(judged.rules[0]).toMatchObject({
      verdict: 'undecided',
      reason: 'Not all that runs is known. The inventory has no deployments: forbidden',
    })
    expect(
      judge(
        rule,
        [
          itemWith({
            status: 'major_behind',
            security_fixes_between: 1,
            highest_severity_between: 'high',
            eol: { ...eol, is_eol: true },
            advisories_count: 1,
            advisories: [advisoryWith({ exploited: { since: '2026-03-25', due: null, ransomware: false } })],
          }),
        ],
        { coverage: { gaps } },
      ).verdict,
    ).toBe('failed')
  })

  test('says how much is known where that is too little', () => {
    expect(judge('eol', [current, unknown]).rules[0]!.notes).toContain('Ends of support are known for 1 of 2 artifacts')
  })
})

describe('components of a managed offering', () => {
  const own = itemWith({ ...current, status: 'unknown', managed_by: 'aks', vendor_component: true })

  test.each(rules)('decide nothing for %s', (rule) => {
    expect(judge(rule, [own, own]).verdict).toBe('undecided')
  })

  test('are not among the artifacts that are counted, and a note says so', () => {
    const judged = judge('major-behind>0', [current, own])
    expect(judged.rules[0]).toMatchObject({
      verdict: 'passed',
      notes: ['1 component of the managed offering not judged: upgrade the cluster to upgrade them'],
    })
    const less = judge('eol', [current, unknown, own])
    expect(less.rules[0]!.notes).toContain('Ends of support are known for 1 of 2 artifacts')
  })

  test('fail a rule on security fixes when some are known', () => {
    const fixed = { ...own, security_fixes_between: 1, highest_severity_between: 'high' as const }
    expect(judge('security-behind>=high', [current, fixed], { coverage: { managed: 1 } }).verdict).toBe('failed')
  })

  test('excuse nothing that an offering runs of other projects', () => {
    expect(judge('major-behind>0', [itemWith({ managed_by: 'aks' })]).verdict).toBe('failed')
  })
})

describe('security-behind, by a server that does not say of which artifacts it has security facts', () => {
  const { security_facts: _, ...silent } = current

  test.each([
    [{ security_known: 0, projects: 9 }, 'undecided'],
    [{ security_known: 3, projects: 9 }, 'undecided'],
    [{ security_known: 9, projects: 9 }, 'passed'],
  ])('with coverage %j it is %s', (coverage, verdict) => {
    expect(judge('security-behind>=low', [silent], { coverage }).verdict).toBe(verdict)
    expect(judge('major-behind>0', [silent], { coverage }).verdict).toBe('passed')
  })

  test('without coverage, an artifact with a known fix has them', () => {
    const policy = policyWith(['security-behind>=high'], 'fail_on: []')
    const verdictFor = (item: FreshnessItem) => {
      const { coverage: _, ...freshness } = freshnessFor([item])
      return evaluateGate(policy, { run: runWith(), freshness }, now).verdict
    }
    expect(verdictFor({ ...silent, source_product_id: 1 })).toBe('undecided')
    const fixed = { ...silent, source_product_id: 1, security_fixes_between: 1 }
    expect(verdictFor({ ...fixed, highest_severity_between: 'low' })).toBe('passed')
  })
})

describe('a line of undecided', () => {
  const parts: Record<string, string> = {
    'major-behind>0': 'releases',
    'security-behind>=low': 'security facts',
    'affected>=low': 'advisories',
    'fixable>=low': 'advisories',
    exploited: 'advisories',
    eol: 'ends of support',
  }
  const line = (part: string) => ({ members: `undecided: [{part: ${part}, until: 2026-12-31}]` })

  test.each(rules)('lets %s pass where too little is known, and says so', (rule) => {
    const coverage = { security_known: 0 }
    const [allowed] = judge(rule, [unknown], { coverage, ...line(parts[rule]!) }).rules
    expect(allowed).toMatchObject({ verdict: 'passed', allowed_unknown: expect.stringContaining('relt.yaml:2') })
    expect(judge(rule, [unknown], { coverage, ...line('nodes') }).verdict).toBe('undecided')
  })

  test('is not said of a rule that does not need it, and undoes no failure', () => {
    expect(judge('eol', [current], line('"*"')).rules[0]).toMatchObject({ notes: [], allowed_unknown: null })
    expect(judge('major-behind>0', [itemWith()], line('"*"')).verdict).toBe('failed')
  })

  test('does not stand in for freshness that is missing, nor for a report that could not be read', () => {
    const policy = policyWith(['eol'], 'undecided: [{part: "*", until: 2026-12-31}]')
    expect(evaluateGate(policy, { run: runWith(), isUnsent: true }, now).verdict).toBe('undecided')
    const none = { images: 0, helm_charts: 0, apps: 0 }
    const unread = { run: runWith({ total_checks: 0, artifacts: none }), freshness: freshnessFor([current]) }
    expect(evaluateGate(policy, unread, now).verdict).toBe('undecided')
  })
})

describe('max-age', () => {
  test('is undecided by facts that are older, and says how old they are', () => {
    expect(judge('max-age>10', [current]).rules[0]).toMatchObject({ verdict: 'passed' })
    expect(judge('max-age>9', [current])).toMatchObject({
      verdict: 'undecided',
      rules: [{ reason: 'The facts are 10 days old; 9 allowed' }],
      causes: [{ cure: 'Get newer facts: relt catalog sync, or relt catalog import FILE without internet' }],
    })
    expect(judge('max-age>9', [current], { members: 'undecided: [{part: facts, until: 2026-12-31}]' }).verdict).toBe(
      'passed',
    )
  })
})

describe.each(['retired', 'withdrawn', 'frozen'] as const)('%s', (state) => {
  const own = itemWith({ source_product_id: 1, states: [state] })
  const other = itemWith({ source_product_id: 1, states: [] })

  test('fails by an artifact in this state, unless it is allowed', () => {
    expect(judge(state, [other, own]).rules[0]).toMatchObject({
      verdict: 'failed',
      reason: `1 ${state} artifact; 0 allowed`,
      evidence_total: 1,
    })
    expect(judge(`${state}>1`, [own]).verdict).toBe('passed')
    expect(judge(state, [other]).verdict).toBe('passed')
    const members = 'exceptions: [{artifact: "*nginx*", reason: x, expires: 2026-12-31}]'
    expect(judge(state, [own], { members }).verdict).toBe('passed')
  })

  test('is undecided where no project is known', () => {
    expect(judge(state, [itemWith({ states: [] })]).verdict).toBe('undecided')
  })
})

describe('the result', () => {
  test('says what it covers', () => {
    const { coverage, coverage_summary } = judge('eol', [current, unknown, kubernetes])
    expect(coverage).toMatchObject({ artifacts: 2, known: 1, security_known: 1, projects: 1 })
    expect(coverage_summary).toBe('1 of 2 images known; security facts for 1 of 1 project, 2 days old')
  })

  test('says nothing of coverage where no rule asks for freshness', () => {
    const result = evaluateGate(policyWith(['score<80'], 'fail_on: []'), { run: runWith() }, now)
    expect(result).not.toHaveProperty('coverage')
  })
})
