import { describe, expect, test } from 'vitest'
import type { FreshnessItem, RunningAdvisory } from '../../src/contract/freshness.ts'
import type { Policy } from '../../src/gate/policy.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { advisoryWith, freshnessFor, itemWith, now, policyFor, runWith } from './evidence.ts'

function affectedBy(advisories: RunningAdvisory[], more: Partial<FreshnessItem> = {}): FreshnessItem {
  return itemWith({ advisories, advisories_count: advisories.length, fixed_in: '1.27.5', ...more })
}

function judge(rule: string, items: FreshnessItem[], more: Partial<Policy> & { yaml?: string } = {}) {
  const { yaml = '', ...policy } = more
  const evidence = { run: runWith(), freshness: freshnessFor(items) }
  return evaluateGate({ ...policyFor([rule], yaml), ...policy }, evidence, now).rules[0]!
}

const daysAgo = (days: number) => formatTimestamp(now - days * 86_400).slice(0, 10)

const clean = itemWith()
const unknown = itemWith({ advisories_count: null, highest_advisory_severity: null })

describe('affected', () => {
  test('fails by an advisory as bad as the rule says, and names the step out', () => {
    const advisories = [advisoryWith({ id: 'CVE-2026-1', severity: 'critical' }), advisoryWith()]
    expect(judge('affected>=high', [affectedBy(advisories), clean])).toMatchObject({
      verdict: 'failed',
      reason: '1 artifact affected by an advisory of high severity or higher; 0 allowed',
      evidence: [
        {
          severity: 'critical',
          message: 'Affected by CVE-2026-1 (critical), CVE-2026-1234 (high); fixed in 1.27.5',
        },
      ],
    })
  })

  test('passes below its severity, and counts artifacts', () => {
    expect(judge('affected>=critical', [affectedBy([advisoryWith()])]).verdict).toBe('passed')
    expect(judge('affected>=high>1', [affectedBy([advisoryWith(), advisoryWith({ id: 'CVE-2026-2' })])]).verdict).toBe(
      'passed',
    )
  })

  test('is undecided by an advisory without a severity, unless the policy says how to take it', () => {
    const items = [affectedBy([advisoryWith({ severity: null })])]
    expect(judge('affected>=high', items)).toMatchObject({
      verdict: 'undecided',
      reason: '1 advisory without a severity (CVE-2026-1234); set unknown_severity',
    })
    expect(judge('affected>=high', items, { unknownSeverity: 'fail' }).verdict).toBe('failed')
    expect(judge('affected>=high', items, { unknownSeverity: 'ignore' })).toMatchObject({
      verdict: 'passed',
      notes: ['Ignored: 1 advisory without a severity'],
    })
  })

  test('is undecided where nothing is known of what runs', () => {
    expect(judge('affected>=high', [unknown])).toMatchObject({
      verdict: 'undecided',
      reason: 'Advisories are known for none of 1 artifact',
    })
  })

  test('says how much is not known where it passes', () => {
    expect(judge('affected>=high', [clean, unknown])).toMatchObject({
      verdict: 'passed',
      notes: ['Advisories are known for 1 of 2 artifacts'],
    })
  })

  test.each([
    ['high', 'undecided'],
    [null, 'undecided'],
    ['medium', 'passed'],
  ] as const)('where an advisory of severity %s cannot be compared, it is %s', (severity, verdict) => {
    const item = itemWith({ advisories_undecided: 2, highest_undecided_severity: severity })
    expect(judge('affected>=high', [item]).verdict).toBe(verdict)
  })

  test('does not ask the version of a chart', () => {
    expect(judge('affected>=high', [itemWith({ ...unknown, artifact_type: 'helm_chart' }), clean])).toMatchObject({
      verdict: 'passed',
      notes: [],
    })
  })

  test('is undecided where the server does not list advisories', () => {
    const item = { ...clean, advisories: null, advisories_count: null, advisories_undecided: null }
    const evidence = { run: runWith(), freshness: { ...freshnessFor([]), items: [item] } }
    expect(evaluateGate(policyFor(['affected>=low']), evidence, now).verdict).toBe('undecided')
  })

  test.each([
    [daysAgo(14), 'passed'],
    [daysAgo(15), 'failed'],
    [null, 'failed'],
  ])('gives an advisory published on %s 14 days: %s', (published, verdict) => {
    const items = [affectedBy([advisoryWith({ published })])]
    expect(judge('affected>=high', items, { graceDays: 14 }).verdict).toBe(verdict)
  })
})

describe('fixable', () => {
  test('fails only where the running line has a release without the advisory', () => {
    expect(judge('fixable>=high', [affectedBy([advisoryWith()])]).verdict).toBe('failed')
    const later = affectedBy([advisoryWith({ fixed_in_line: null })], { fixed_in_line: null })
    expect(judge('fixable>=high', [later]).verdict).toBe('passed')
    expect(judge('affected>=high', [later]).verdict).toBe('failed')
  })
})

describe('an exception of an advisory', () => {
  const items = [affectedBy([advisoryWith()])]
  const exception = (more: string, expires = '2099-01-01') => `- {${more}, reason: accepted, expires: ${expires}}`

  test.each(['CVE-2026-1234', 'cve-2026-1234', 'GHSA-qppj-fm5r-hxr3'])('is met by any of its ids: %s', (id) => {
    expect(judge('affected>=high', items, { yaml: exception(`advisory: ${id}`) })).toMatchObject({
      verdict: 'passed',
      excepted: 1,
    })
  })

  test('excepts only the artifacts that it names, and nothing after its last day', () => {
    const other = exception('advisory: CVE-2026-1234, artifact: quay.io/*')
    expect(judge('affected>=high', items, { yaml: other }).verdict).toBe('failed')
    const expired = exception('advisory: CVE-2026-1234', daysAgo(1))
    expect(judge('affected>=high', items, { yaml: expired }).verdict).toBe('failed')
  })

  test('leaves other advisories of the artifact as they are', () => {
    const two = [affectedBy([advisoryWith(), advisoryWith({ id: 'CVE-2026-2', aliases: [] })])]
    expect(judge('affected>=high', two, { yaml: exception('advisory: CVE-2026-1234') })).toMatchObject({
      verdict: 'failed',
      excepted: 1,
    })
  })
})
