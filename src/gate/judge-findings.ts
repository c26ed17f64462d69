import { findingSeverities } from '../contract/choices.ts'
import type { RenamedFinding } from '../contract/cluster-report.ts'
import type { HeldBack } from '../contract/gate-baseline.ts'
import type { ReceivedFinding } from '../contract/received/cluster-report.ts'
import type { FindingSeverity, RatedSeverity } from '../contract/scan-finding.ts'
import { isAsSevere } from '../contract/severity-rank.ts'
import type { ListedFinding } from '../reports/list-findings.ts'

import type { Court } from './court.ts'
import { addExcepted, type Exception, type ExceptionCounts } from './exception.ts'
import type { Unrated } from './policy.ts'
import type { Reason } from './reason.ts'
import type { FindingRuleKind, RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { maxEvidence, type Violation, violationOfFinding } from './violation.ts'

type FindingRule = RuleOf<FindingRuleKind>

/** A finding to judge; suppressed ones are covered by an annotation in the cluster or an exception of the scanner. */
type JudgedFinding = ReceivedFinding &
  Pick<Partial<ListedFinding>, 'suppressed'> &
  Partial<Pick<RenamedFinding, 'renamed_from'>>

/**
 * Counts the findings at or above the rule's severity that no exception covers, and that nobody took in until a day. Returns
 * these as well: `passing`.
 */
export function judgeFindings(
  rule: FindingRule,
  findings: JudgedFinding[],
  { exceptions, policy: { unrated = 'ignore' } }: Pick<Court, 'exceptions' | 'policy'>,
  takenInUntil: (finding: JudgedFinding) => string | undefined = () => undefined,
): RuleVerdict & { passing: HeldBack[]; counted: number } {
  const passing: HeldBack[] = []
  const days = new Set<string>()
  const tally = new Tally()
  for (const finding of findings) {
    const severity = severityUnder(finding, unrated)
    const isCounted = counts(severity, rule.severity)
    if (isCounted === false) continue
    if (finding.suppressed) {
      tally.suppressed++
      continue
    }
    const count = rule.kind === 'findings' ? (finding.count ?? 1) : 1
    const exception = exceptions.forFinding(finding)
    const until = takenInUntil(finding)
    const { fingerprint } = finding
    if (fingerprint && (exception || until)) passing.push({ fingerprint, until: until ?? null })
    const { renamed_from: former } = finding
    const ofFormer = !exception && !until && former ? exceptions.forFinding({ ...finding, ...former }) : undefined
    if (exception) addExcepted(tally.exceptedBy, exception, count)
    else if (until) days.add(until)
    else if (ofFormer && isCounted) tally.addUnconfirmed(ofFormer, count)
    else if (isCounted) tally.add(finding, severity, count)
    else tally.addUnknown(finding, count)
  }
  const reason: Reason = { code: 'findings', ...rule, counted: tally.counted }
  const isOpen = (more: number) => tally.counted <= rule.allowed && tally.counted + more > rule.allowed
  const { unknown, unconfirmed } = tally
  const exceptionIds = [...tally.unconfirmedBy].map(({ source }) => source.split(' ')[0])
  return {
    ...(isOpen(unconfirmed)
      ? undecided({ code: 'unconfirmed', reason, unconfirmed, exceptions: exceptionIds }, 'renamed')
      : isOpen(unknown + unconfirmed)
        ? undecided({ code: 'unknown_severity', reason, more: unknown, checks: [...tally.unknownChecks] }, 'severity')
        : decided(tally.counted > rule.allowed, reason)),
    violations: tally.violations(),
    total: tally.total,
    exceptedBy: tally.exceptedBy,
    passing,
    counted: tally.counted,
    notes: [
      ...takenInNote(passing, [...days].sort()),
      ...(tally.suppressed > 0 ? [{ code: 'suppressed' as const, suppressed: tally.suppressed }] : []),
      ...unratedNote(findings, unrated),
    ],
  }
}

/** The severity of a finding under the policy. Other servers may not return it. */
function severityUnder({ severity, is_unrated }: JudgedFinding, unrated: Unrated): FindingSeverity {
  if (!is_unrated || unrated === 'ignore') return severity ?? 'unknown'
  return unrated === 'undecided' ? 'unknown' : unrated
}

/** Undefined if it depends on an unknown severity, which is at least `info`. */
function counts(severity: FindingSeverity, limit: RatedSeverity): boolean | undefined {
  if (severity === 'unknown') return limit === 'info' ? true : undefined
  return isAsSevere(severity, limit)
}

class Tally {
  counted = 0
  total = 0
  unknown = 0
  suppressed = 0
  /** Excepted under the former name of their workload. */
  unconfirmed = 0
  readonly unconfirmedBy = new Set<Exception>()
  readonly exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  readonly unknownChecks = new Set<string>()
  /** Only the first findings of each severity are listed. */
  readonly #shown = new Map<FindingSeverity, Violation[]>(findingSeverities.map((severity) => [severity, []]))

  add(finding: JudgedFinding, severity: FindingSeverity, count: number): void {
    this.counted += count
    this.total++
    const alike = this.#shown.get(severity)!
    if (alike.length < maxEvidence) alike.push(violationOfFinding(finding))
  }

  addUnknown({ check_id }: JudgedFinding, count: number): void {
    this.unknown += count
    this.unknownChecks.add(check_id ?? 'a check without an id')
  }

  addUnconfirmed(exception: Exception, count: number): void {
    this.unconfirmed += count
    this.unconfirmedBy.add(exception)
  }

  violations(): Violation[] {
    return [...this.#shown.values()].flat().slice(0, maxEvidence)
  }
}

function takenInNote(passing: HeldBack[], [first]: string[]): Reason[] {
  const taken = passing.filter(({ until }) => until !== null).length
  return first === undefined ? [] : [{ code: 'taken_in', taken, first }]
}

function unratedNote(findings: JudgedFinding[], unrated: Unrated): Reason[] {
  const count = findings.filter(({ is_unrated, suppressed }) => is_unrated && !suppressed).length
  return count > 0 ? [{ code: 'unrated', count, unrated }] : []
}
