import type { ReceivedComparison, ReceivedFinding } from '../contract/received/cluster-report.ts'

import type { ComparedChanges, Court } from './court.ts'

import { judgeFindings } from './judge-findings.ts'
import type { Policy } from './policy.ts'
import type { Reason } from './reason.ts'
import type { FindingRuleKind, RuleOf } from './rule.ts'
import { type RuleVerdict, undecided } from './rule-verdict.ts'

/** What a rule about changes compares with, or why it cannot. */
export function changesFor({ text }: { text: string }, court: Court): ComparedChanges | RuleVerdict {
  const changes = court.changes?.get(text)
  if (changes?.comparison) return changes
  if (court.isUnsent) return undecided({ code: 'unsent', what: 'earlier runs' })
  const { begin, baseline } = court.policy
  return undecided(
    { code: 'no_baseline', asked: baseline, spent: begin },
    baseline === undefined ? 'baseline' : 'server',
  )
}

export const isVerdict = (found: ComparedChanges | RuleVerdict): found is RuleVerdict => 'verdict' in found

/** Only a verdict against the rule's own baseline moves it. */
export const canMove = ({ why }: ComparedChanges): boolean => why !== 'asked' && why !== 'previous'

/** More findings that pass only for a time are not stored with a baseline: it stays. */
const mostHeld = 5000

/** Judges findings that are not in the baseline. What it held back counts as well, unless an exception or a day lets it pass. */
export function judgeChanges(rule: RuleOf<'new' | 'regressed' | 'more'>, court: Court): RuleVerdict {
  const changes = changesFor(rule, court)
  if (isVerdict(changes)) return changes
  const comparison = changes.comparison!
  const [before, after] = [comparison.from?.format, comparison.to?.format]
  if (before && after && before !== after) {
    return undecided({ code: 'baseline_of_scanner' }, 'baseline')
  }
  if (rule.kind === 'more' && !comparison.changed_findings) return undecided({ code: 'no_counts' })
  const { policy, today } = court
  const came = changesUnder(rule.kind, comparison, policy)
  const own = new Set(came.map(({ fingerprint }) => fingerprint))
  const held = new Map(changes.held.map(({ fingerprint, until }) => [fingerprint, until]))
  const { renamed_findings: renamed = [], held_findings = [] } = comparison
  const former = new Map(renamed.map(({ fingerprint, renamed_from }) => [fingerprint, renamed_from.fingerprint]))
  const heldAs = ({ fingerprint }: ReceivedFinding): string => former.get(fingerprint!) ?? fingerprint!
  const all = [
    ...came,
    ...[...held_findings, ...renamed].filter((finding) => held.has(heldAs(finding)) && !own.has(finding.fingerprint)),
  ]
  const { takenIn } = changes
  const since =
    takenIn && new Set(changesUnder(rule.kind, takenIn.comparison, policy).map(({ fingerprint }) => fingerprint))
  const until = (finding: ReceivedFinding): string | undefined => {
    if (takenIn && !since!.has(finding.fingerprint)) return takenIn.until
    const day = held.get(heldAs(finding))
    return day && day >= today ? day : undefined
  }
  const { passing, counted, ...judged } = judgeFindings(rule, all, court, until)
  const isMoving = judged.verdict === 'passed' && counted === 0 && canMove(changes) && passing.length <= mostHeld
  const events = comparison.event_findings_count ?? 0
  return {
    ...judged,
    ...(isMoving && { moves: { held: passing } }),
    notes: [
      ...judged.notes,
      ...(rule.kind === 'new' && policy.events !== 'count' && events > 0 ? [{ code: 'events' as const, events }] : []),
      ...firstLookedNote(comparison),
      ...renamedNote(comparison),
      ...incomparableNote(comparison),
    ],
  }
}

function renamedNote({
  renamed_workloads: workloads = [],
  renamed_findings_count: findings = 0,
}: ReceivedComparison): Reason[] {
  const probable = workloads.filter(({ is_probable }) => is_probable).length
  return workloads.length > 0 ? [{ code: 'renamed', workloads: workloads.length, findings, probable }] : []
}

/** Counts the findings of the report, and those that it did not look at, which are open as they stand. */
export function judgeFound(rule: RuleOf<'findings'>, court: Court): RuleVerdict {
  const { findings, comparison } = court
  if (!findings) return undecided({ code: 'no_findings' })
  const unread = [...(comparison?.not_looked_at_findings ?? []), ...(comparison?.at_rest_findings ?? [])]
  const former = new Map((comparison?.renamed_findings ?? []).map((each) => [each.fingerprint, each.renamed_from]))
  const all = [...findings, ...unread].map((finding) => {
    const renamed_from = former.get(finding.fingerprint)
    return renamed_from ? { ...finding, renamed_from } : finding
  })
  const { passing: _, counted: __, ...judged } = judgeFindings(rule, all, court)
  if (unread.length === 0) return judged
  return { ...judged, notes: [...judged.notes, { code: 'unread_findings', unread: unread.length }] }
}

function changesUnder(
  kind: FindingRuleKind,
  comparison: ReceivedComparison,
  { events, renamed }: Policy,
): ReceivedFinding[] {
  const {
    new_findings,
    regressed_findings,
    changed_findings = [],
    event_findings = [],
    renamed_findings = [],
  } = comparison
  if (kind === 'new') {
    return [
      ...new_findings,
      ...(events === 'count' ? event_findings : []),
      ...(renamed === 'count' ? renamed_findings : []),
    ]
  }
  if (kind === 'regressed') return regressed_findings
  return [...regressed_findings, ...changed_findings].filter(
    ({ from, to }) => (to?.count ?? 0) > (from?.count ?? Infinity),
  )
}

/** What nobody looked at before is told as news, and is not new for a gate. */
const firstLookedNote = ({ first_seen_findings: first = [] }: ReceivedComparison): Reason[] =>
  first.length > 0 ? [{ code: 'first_looked', first: first.length }] : []

function incomparableNote(comparison: ReceivedComparison): Reason[] {
  const { incomparable_findings_count: count, incomparable_findings: groups, to } = comparison
  return count ? [{ code: 'incomparable', count, groups: groups ?? [], format: to?.format }] : []
}
