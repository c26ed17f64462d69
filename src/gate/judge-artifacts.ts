import type { ReceivedFreshness, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'
import { isAsSevere } from '../contract/severity-rank.ts'
import { hasState } from '../lifecycle/has-state.ts'
import { supportText } from '../lifecycle/support-text.ts'

import type { Court } from './court.ts'
import { divideExcepted } from './exception.ts'
import { type ArtifactEvidence, findFacts } from './facts.ts'
import type { Gap } from './gap.ts'
import { endedNodeParts } from './judge-nodes.ts'
import type { Reason } from './reason.ts'
import type { RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { type Violation, violationOfArtifact } from './violation.ts'

type ArtifactRule = RuleOf<'major-behind' | 'security-behind' | 'eol'>

/** Fails if any artifact is known to be outdated; passes only if enough is known. */
export function judgeArtifacts(rule: ArtifactRule, { freshness, isUnsent, ...court }: Court): RuleVerdict {
  if (!freshness) return undecided({ code: isUnsent ? 'unsent' : 'no_freshness', what: 'releases' })
  const evidence = { ...court, freshness }
  const judged = judgeKnown(rule, evidence)
  const { gap: lacking, notes } = findFacts(rule.kind, evidence)
  const gap = lacking ?? findOpen(rule, evidence, judged.violations.length)
  if (judged.verdict !== 'passed' || gap === undefined) return { ...judged, notes: [...notes, ...judged.notes] }
  return undecided(gap.reason, gap.part, { ...judged, notes: [...(lacking ? [] : notes), ...judged.notes] })
}

/**
 * An artifact above all that the catalog knows, or not behind by old facts, may be behind. It leaves a rule undecided that
 * would fail if all of them were.
 */
function findOpen(
  rule: ArtifactRule,
  { freshness, exceptions }: ArtifactEvidence,
  violations: number,
): Pick<Gap, 'part' | 'reason'> | undefined {
  if (rule.kind === 'eol') return undefined
  const open = freshness.items.filter(
    (item) =>
      (hasState(item, 'above_known') || hasState(item, 'old_facts')) &&
      !isBehind(rule, item) &&
      !exceptions.forArtifact(item),
  )
  if (open.length === 0 || violations + open.length <= rule.allowed) return undefined
  const code = open.some((item) => hasState(item, 'old_facts')) ? 'old_facts' : 'above_known'
  const names = open.map(({ display_name }) => display_name ?? '-')
  const day = open.flatMap(({ catalog_date }) => catalog_date ?? []).sort()[0]
  return { part: 'releases', reason: { code, count: open.length, names, day } }
}

/** Counts the artifacts that violate the rule. */
function judgeKnown(rule: ArtifactRule, { freshness, exceptions }: ArtifactEvidence): RuleVerdict {
  const known = freshness.items.filter((item) => isKnown(rule, item))
  const behind = [
    ...known
      .filter((item) => isBehind(rule, item))
      .map((item) => ({ subject: item, violation: toViolation(rule, item) })),
    ...(rule.kind === 'eol' ? endedNodeParts(freshness) : []),
  ]
  const { counting, exceptedBy } = divideExcepted(behind, ({ subject }) => exceptions.forArtifact(subject))
  const reason: Reason = { code: 'artifacts', ...rule, count: counting.length }
  const silent = known.filter((item) => isSilent(rule, item) && !exceptions.forArtifact(item)).length
  if (silent > 0 && counting.length <= rule.allowed) {
    return undecided({ code: 'silent_fixes', reason, silent }, 'security facts')
  }
  return {
    ...decided(
      counting.length > rule.allowed,
      reason,
      counting.map(({ violation }) => violation),
    ),
    exceptedBy,
    notes: notesFor(rule, freshness, known),
  }
}

/** Components of a managed offering are not compared, but later security fixes may be known. */
function isKnown({ kind }: ArtifactRule, item: ReceivedFreshnessItem): boolean {
  if (kind === 'eol') return item.eol !== undefined && item.eol !== null
  if (item.status !== 'unknown') return true
  return kind === 'security-behind' && item.vendor_component === true && (item.security_fixes_between ?? 0) > 0
}

/** Outdated, but it is unknown whether it lacks a security fix. */
function isSilent({ kind }: ArtifactRule, item: ReceivedFreshnessItem): boolean {
  return kind === 'security-behind' && item.status !== 'up_to_date' && item.security_fixes_between === null
}

function isBehind(rule: ArtifactRule, item: ReceivedFreshnessItem): boolean {
  if (rule.kind === 'eol') return item.eol?.is_eol === true
  if (rule.kind === 'major-behind') return item.status === 'major_behind'
  if (item.security_fixes_between === null || item.security_fixes_between === 0) return false
  const { highest_severity_between: highest } = item
  // A fix without a severity may have any.
  if (highest === null || highest === 'none') return true
  return isAsSevere(highest, rule.severity)
}

function notesFor(rule: ArtifactRule, { items }: ReceivedFreshness, known: ReceivedFreshnessItem[]): Reason[] {
  const managed = items.filter((item) => item.vendor_component && !known.includes(item)).length
  const behind = known.filter((item) => item.status !== 'up_to_date').length
  const knowsFixes = known.some((item) => (item.security_fixes_between ?? 0) > 0)
  return [
    ...(managed > 0 ? [{ code: 'managed' as const, managed }] : []),
    ...(rule.kind === 'security-behind' && behind > 0 && !knowsFixes
      ? [{ code: 'no_fix_known' as const, behind }]
      : []),
  ]
}

function toViolation({ kind }: ArtifactRule, item: ReceivedFreshnessItem): Violation {
  const { eol, highest_severity_between: highest } = item
  const violation = violationOfArtifact(item, highest === 'none' ? null : highest)
  return kind === 'eol' && eol ? { ...violation, message: supportText(eol.cycle, eol) } : violation
}
