import { describe, expect, test } from 'vitest'
import type { Coverage, FreshnessItem } from '../../src/contract/freshness.ts'
import { evaluateGate } from '../../src/gate/evaluate.ts'
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
  allowUnknown?: boolean
  coverage?: Partial<Coverage>
}

function judge(rule: string, items: FreshnessItem[], { members = 'fail_on: []', allowUnknown, coverage }: Wanted = {}) {
  const policy = policyWith([rule], members, { ...(allowUnknown && { allowUnknown }) })
  return evaluateGate(policy, { run: runWith(), freshness: freshnessFor(items, coverage) }, now)
}

describe('a rule on artifacts', () => {
  test.each(rules)('%s is undecided when Kubernetes alone is known', (rule) => {
    expect(judge(rule, [kubernetes, unknown]).verdict).toBe('undecided')
    expect(judge(rule, [kubernetes, current]).verdict).toBe('passed')
  })

  test.each(rules)('%s asks for facts of its own kind, whatever else is known', (rule) => {
    const members = 'min_coverage: 50%'
    expect(judge(rule, [kubernetes, lacking[rule]!, lacking[rule]!]).verdict).toBe('undecided')
    expect(judge(rule, [lacking[rule]!, lacking[rule]!, current], { members }).verdict).toBe('undecided')
    expect(judge(rule, [lacking[rule]!, current], { members }).rules[0]).toMatchObject({
      verdict: 'passed',
      notes: [expect.stringMatching(/ are known for 1 of 2 artifacts$/)],
    })
  })

  test('fails on what is broken, whatever is unknown', () => {
    const ended = itemWith({ artifact_type: 'kubernetes', eol: { ...eol, is_eol: true } })
    expect(judge('eol', [ended, unknown]).verdict).toBe('failed')
    const members = 'min_coverage: 100%'
    expect(judge('major-behind>0', [itemWith(), unknown], { members }).verdict).toBe('failed')
  })

  test.each([
    ['0.5', 'passed'],
    ['50%', 'passed'],
    ['0', 'passed'],
    ['0.51', 'undecided'],
    ['50.01%', 'undecided'],
    ['1', 'undecided'],
  ])('needs min_coverage %s of the artifacts: %s', (share, verdict) => {
    expect(judge('major-behind>0', [current, unknown], { members: `min_coverage: ${share}` }).verdict).toBe(verdict)
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
    expect(judge('eol', [current, unknown], { members: 'min_coverage: 80%' }).rules[0]!.reason).toBe(
      'Ends of support are known for 1 of 2 artifacts; min_coverage is 80%',
    )
  })
})

describe('components of a managed offering', () => {
  const own = itemWith({ ...current, status: 'unknown', managed_by: 'aks', vendor_component: true })

  test.each(rules)('decide nothing for %s', (rule) => {
    expect(judge(rule, [own, own]).verdict).toBe('undecided')
  })

  test('are not among the artifacts that min_coverage counts, and a note says so', () => {
    const judged = judge('major-behind>0', [current, own], { members: 'min_coverage: 100%' })
    expect(judged.rules[0]).toMatchObject({
      verdict: 'passed',
      notes: ['1 component of the managed offering not judged: upgrade the cluster to upgrade them'],
    })
    const less = judge('eol', [current, unknown, own], { members: 'min_coverage: 80%' })
    expect(less.rules[0]!.reason).toBe('Ends of support are known for 1 of 2 artifacts; min_coverage is 80%')
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

describe('--allow-unknown', () => {
  test.each(rules)('lets %s pass where too little is known, and says so', (rule) => {
    const coverage = { security_known: 0 }
    const [allowed] = judge(rule, [unknown], { coverage, allowUnknown: true }).rules
    expect(allowed).toMatchObject({ verdict: 'passed' })
    expect(allowed!.notes[0]).toMatch(/^Allowed by --allow-unknown: .* are known for none of 1 artifact$/)
  })

  test('is not said of a rule that does not need it, and undoes no failure', () => {
    const allowUnknown = true
    expect(judge('eol', [current], { allowUnknown }).rules[0]!.notes).toEqual([])
    expect(judge('major-behind>0', [itemWith()], { allowUnknown }).verdict).toBe('failed')
  })

  test('does not stand in for freshness that is missing, nor for a report that could not be read', () => {
    const policy = policyWith(['eol'], 'fail_on: []', { allowUnknown: true })
    expect(evaluateGate(policy, { run: runWith(), isUnsent: true }, now).verdict).toBe('undecided')
    const unread = { run: runWith({ total_checks: 0 }), freshness: freshnessFor([current]) }
    expect(evaluateGate(policy, unread, now).verdict).toBe('undecided')
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
