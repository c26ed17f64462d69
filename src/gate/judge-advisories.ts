import type { RunningAdvisory } from '../contract/freshness.ts'
import { ratedText } from '../contract/rating-text.ts'
import type { ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { isAsSevere } from '../contract/severity-rank.ts'
import { outText } from '../lifecycle/step-text.ts'
import { daySeconds } from '../util/time.ts'
import { listed } from '../util/words.ts'
import type { Court } from './court.ts'
import { addExcepted, type ExceptionCounts } from './exception.ts'
import { type ArtifactEvidence, findFacts } from './facts.ts'
import type { Gap } from './gap.ts'
import type { Policy } from './policy.ts'
import type { Reason } from './reason.ts'
import type { AdvisoryRuleKind, RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { type Violation, violationOfArtifact } from './violation.ts'

/** Rules on advisories; `exploited` applies to any severity. */
export type AdvisoryRule = RuleOf<AdvisoryRuleKind | 'exploited'>

export type AdvisoryEvidence = ArtifactEvidence & Pick<Court, 'today' | 'policy'>

/** How a rule rates an advisory that affects an artifact. */
type Counted = 'counts' | 'unrated' | 'passes'

/** Fails if any artifact is known to be affected; passes only if enough is known. */
export function judgeAdvisories(rule: RuleOf<AdvisoryRuleKind>, { freshness, isUnsent, ...court }: Court): RuleVerdict {
  if (!freshness) return undecided({ code: isUnsent ? 'unsent' : 'no_freshness', what: 'advisories' })
  const evidence = { ...court, freshness }
  const { policy } = evidence
  const { items, counting, unrated, exceptedBy } = countAffected(rule, evidence)
  const { allowed, severity } = rule
  const an = rule.kind === 'fixable' ? 'a fixable' : 'an'
  const judged = {
    ...decided(
      counting.length > allowed,
      { code: 'affected', count: counting.length, an, severity, allowed },
      counting,
    ),
    exceptedBy,
    notes: [...graceNote(policy), ...ignoredNote(items, rule, evidence)],
  }
  const facts = findFacts(rule.kind, evidence)
  const gap = facts.gap ?? findOpen(rule, { items, unrated })
  if (judged.verdict === 'failed' || gap === undefined) return { ...judged, notes: [...facts.notes, ...judged.notes] }
  return { ...undecided(gap.reason, gap.part, judged), exceptedBy }
}

/** The artifacts that the rule is about, and those that count. */
export interface CountedAdvisories {
  items: ReceivedFreshnessItem[]
  /** One entry per artifact. */
  counting: Violation[]
  /** Ids of advisories without a severity that the verdict depends on. */
  unrated: Set<string>
  exceptedBy: ExceptionCounts
}

export function countAffected(rule: AdvisoryRule, evidence: AdvisoryEvidence): CountedAdvisories {
  const { freshness, exceptions } = evidence
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
    if (open.length > 0) counting.push(toViolation(item, open))
  }
  return { items, counting, unrated, exceptedBy }
}

function countedAs(advisory: RunningAdvisory, rule: AdvisoryRule, { policy, today }: AdvisoryEvidence): Counted {
  if (rule.kind === 'fixable' && advisory.fixed_in_line === null) return 'passes'
  if (rule.kind === 'exploited') {
    // Exploited advisories have no grace period.
    if (!advisory.exploited) return 'passes'
    if (rule.severity === undefined) return 'counts'
  } else if (isInGrace(advisory, policy, today)) return 'passes'
  const { severity } = advisory
  if (severity === null) {
    const { unknownSeverity = 'undecided' } = policy
    return unknownSeverity === 'fail' ? 'counts' : unknownSeverity === 'ignore' ? 'passes' : 'unrated'
  }
  return isAsBad(severity, rule) ? 'counts' : 'passes'
}

/** An advisory without a day has no grace period. */
function isInGrace({ published }: RunningAdvisory, { graceDays }: Policy, today: string): boolean {
  if (graceDays === undefined || published === null) return false
  return Date.parse(today) - Date.parse(published) <= graceDays * daySeconds * 1000
}

function isAsBad(severity: NonNullable<RunningAdvisory['severity']>, rule: AdvisoryRule): boolean {
  if (rule.severity === undefined) return true
  return severity !== 'none' && isAsSevere(severity, rule.severity)
}

/** Why known advisories do not decide the rule; undefined if they do. */
export function findOpen(
  rule: AdvisoryRule,
  { items, unrated }: Pick<CountedAdvisories, 'items' | 'unrated'>,
): Pick<Gap, 'part' | 'reason'> | undefined {
  if (unrated.size > 0)
    return { part: 'severity', reason: { code: 'without_severity', count: unrated.size, ids: [...unrated] } }
  const open = items.filter((item) => mayBeAffected(item, rule))
  if (open.length === 0) return undefined
  const names = open.map(({ display_name }) => display_name ?? '-')
  return { part: 'advisories', reason: { code: 'unknown_versions', count: open.length, names } }
}

function mayBeAffected(item: ReceivedFreshnessItem, rule: AdvisoryRule): boolean {
  const worst = item.highest_undecided_severity
  const undecided = item.advisories_undecided ?? 0
  const count = rule.kind === 'exploited' ? (item.exploited_undecided ?? undecided) : undecided
  return count > 0 && (worst === null || isAsBad(worst, rule))
}

const graceNote = ({ graceDays: days }: Policy): Reason[] => (days === undefined ? [] : [{ code: 'grace', days }])

function ignoredNote(items: ReceivedFreshnessItem[], rule: AdvisoryRule, { policy }: AdvisoryEvidence): Reason[] {
  if (policy.unknownSeverity !== 'ignore') return []
  const ids = items.flatMap(({ advisories }) => (advisories ?? []).filter(({ severity }) => severity === null))
  const ignored = new Set(
    ids.filter((one) => rule.kind === 'affected' || one.fixed_in_line !== null).map(({ id }) => id),
  )
  return ignored.size > 0 ? [{ code: 'ignored', count: ignored.size }] : []
}

/** One violation per artifact, worst advisory first. */
function toViolation(item: ReceivedFreshnessItem, advisories: RunningAdvisory[]): Violation {
  const [worst] = advisories
  const severity = worst!.severity === 'none' ? null : worst!.severity
  const ids = listed(advisories.map((advisory) => `${advisory.id} (${ratedText(advisory)})`))
  return { ...violationOfArtifact(item, severity), message: { code: 'affected_by', ids, out: outText(item) } }
}
