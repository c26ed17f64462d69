import { findingSeverities } from '../contract/choices.ts'
import type { RunningAdvisory } from '../contract/freshness.ts'
import type { ReceivedFreshness, ReceivedFreshnessItem, ReceivedRun } from '../contract/received/cluster-report.ts'
import { unknownRunning } from './coverage.ts'
import { addExcepted, type ExceptionCounts, type Exceptions } from './exception.ts'
import type { Policy } from './policy.ts'
import type { AdvisoryRuleKind, GateRule } from './rule.ts'
import { allowedUnknown, decided, plural, type RuleVerdict, undecided } from './rule-verdict.ts'
import { maxEvidence, type Violation, violationOfArtifact } from './violation.ts'

type AdvisoryRule = GateRule & { kind: AdvisoryRuleKind }

interface Evidence {
  run: ReceivedRun
  freshness: ReceivedFreshness
  exceptions: Exceptions
  policy: Policy
  /** `YYYY-MM-DD` */
  today: string
}

/** How a rule takes an advisory that affects an artifact. */
type Counted = 'counts' | 'unrated' | 'passes'

/** Fails by what is known to affect; passes only where enough is known, or where the unknown is allowed. */
export function judgeAdvisories(rule: AdvisoryRule, evidence: Evidence): RuleVerdict {
  const { freshness, exceptions, policy } = evidence
  const items = freshness.items.filter(({ artifact_type }) => artifact_type !== 'helm_chart')
  const counting: Violation[] = []
  const unrated = new Set<string>()
  const exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  for (const item of items) {
    const open = (item.advisories ?? []).filter((advisory) => {
      const counted = countedAs(advisory, rule, evidence)
      if (counted === 'passes') return false
      const exception = exceptions.forAdvisory(item, advisory)
      if (exception) {
        addExcepted(exceptedBy, exception)
        return false
      }
      if (counted === 'unrated') unrated.add(advisory.id)
      return counted === 'counts'
    })
    if (open.length > 0) counting.push(violationOf(item, open))
  }
  const excepted = exceptedBy.file + exceptedBy.server
  const what = `${rule.kind === 'fixable' ? 'a fixable' : 'an'} advisory of ${rule.severity} severity or higher`
  const reason = `${plural(counting.length, 'artifact')} affected by ${what}; ${rule.allowed} allowed`
  const judged = {
    ...decided(counting.length > rule.allowed, reason),
    violations: counting.slice(0, maxEvidence),
    total: counting.length,
    excepted,
    exceptedBy,
    notes: [...notesOf(items, evidence), ...ignoredNote(items, rule, evidence)],
  }
  if (judged.verdict === 'failed') return judged
  const gap = findGap(rule, items, unrated, evidence)
  if (gap === undefined) return judged
  if (policy.allowUnknown) return { ...judged, notes: [`${allowedUnknown}${gap}`, ...judged.notes] }
  return { ...undecided(gap), excepted, exceptedBy, notes: [reason, ...judged.notes] }
}

function countedAs(advisory: RunningAdvisory, rule: AdvisoryRule, { policy, today }: Evidence): Counted {
  if (rule.kind === 'fixable' && advisory.fixed_in_line === null) return 'passes'
  if (isInGrace(advisory, policy, today)) return 'passes'
  const { severity } = advisory
  if (severity === null) {
    const { unknownSeverity = 'undecided' } = policy
    return unknownSeverity === 'fail' ? 'counts' : unknownSeverity === 'ignore' ? 'passes' : 'unrated'
  }
  return isAsBad(severity, rule) ? 'counts' : 'passes'
}

/** An advisory without a day has no grace. */
function isInGrace({ published }: RunningAdvisory, { graceDays }: Policy, today: string): boolean {
  if (graceDays === undefined || published === null) return false
  return Date.parse(today) - Date.parse(published) <= graceDays * 86_400_000
}

function isAsBad(severity: NonNullable<RunningAdvisory['severity']>, rule: AdvisoryRule): boolean {
  return severity !== 'none' && findingSeverities.indexOf(severity) <= findingSeverities.indexOf(rule.severity)
}

/** Why too little is known for the rule to pass; undefined where enough is. */
function findGap(
  rule: AdvisoryRule,
  items: ReceivedFreshnessItem[],
  unrated: ReadonlySet<string>,
  { run, freshness, policy }: Evidence,
): string | undefined {
  const [gap] = freshness.coverage?.gaps ?? []
  if (gap !== undefined) return unknownRunning(gap)
  const { artifacts: counts } = run
  if (counts && counts.images + counts.helm_charts + counts.apps === 0) {
    return 'The run does not state which artifacts run in the cluster'
  }
  const known = items.filter(({ advisories_count }) => advisories_count !== null)
  if (known.length === 0) return 'The catalog has no advisories about what runs'
  if (unrated.size > 0) {
    return `${plural(unrated.size, 'advisory', 'advisories')} without a severity (${listed([...unrated])}); set unknown_severity`
  }
  const open = items.filter((item) => mayBeAffected(item, rule))
  if (open.length > 0) {
    const names = listed(open.map(({ display_name }) => display_name ?? '-'))
    return `Advisories cannot be compared with the version of ${plural(open.length, 'artifact')} (${names})`
  }
  const { minCoverage } = policy
  if (minCoverage === undefined || known.length >= minCoverage * items.length) return undefined
  const share = Number((minCoverage * 100).toFixed(2))
  return `Advisories are known for ${known.length} of ${plural(items.length, 'artifact')}; min_coverage is ${share}%`
}

function mayBeAffected(item: ReceivedFreshnessItem, rule: AdvisoryRule): boolean {
  const worst = item.highest_undecided_severity
  return (item.advisories_undecided ?? 0) > 0 && (worst === null || isAsBad(worst, rule))
}

function notesOf(items: ReceivedFreshnessItem[], { policy }: Evidence): string[] {
  const unknown = items.filter(({ advisories_count }) => advisories_count === null).length
  return [
    ...(unknown > 0 ? [`No advisories are known for ${unknown} of ${plural(items.length, 'artifact')}`] : []),
    ...(policy.graceDays !== undefined
      ? [`Advisories published in the last ${plural(policy.graceDays, 'day')} do not count yet`]
      : []),
  ]
}

function ignoredNote(items: ReceivedFreshnessItem[], rule: AdvisoryRule, { policy }: Evidence): string[] {
  if (policy.unknownSeverity !== 'ignore') return []
  const ids = items.flatMap(({ advisories }) => (advisories ?? []).filter(({ severity }) => severity === null))
  const ignored = new Set(
    ids.filter((one) => rule.kind === 'affected' || one.fixed_in_line !== null).map(({ id }) => id),
  )
  return ignored.size > 0 ? [`Ignored: ${plural(ignored.size, 'advisory', 'advisories')} without a severity`] : []
}

/** One for each artifact, with the worst first. */
function violationOf(item: ReceivedFreshnessItem, advisories: RunningAdvisory[]): Violation {
  const [worst] = advisories
  const severity = worst!.severity === 'none' ? null : worst!.severity
  const ids = listed(advisories.map(({ id, severity }) => `${id} (${severity ?? 'not rated'})`))
  const step = item.fixed_in === null ? 'no release without them is known' : `fixed in ${item.fixed_in}`
  return { ...violationOfArtifact(item, severity), message: `Affected by ${ids}; ${step}` }
}

function listed(names: string[]): string {
  const shown = names.slice(0, 3).join(', ')
  return names.length > 3 ? `${shown} and ${names.length - 3} more` : shown
}
