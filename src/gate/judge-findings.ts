import { findingSeverities } from '../contract/choices.ts'
import type { HeldBack } from '../contract/gate-baseline.ts'
import type { ReceivedFinding } from '../contract/received/cluster-report.ts'
import type { FindingSeverity, RatedSeverity } from '../contract/scan-finding.ts'
import { isAsSevere } from '../contract/severity-rank.ts'
import type { ListedFinding } from '../reports/list-findings.ts'
import { listed, count as plural } from '../util/words.ts'
import type { Court } from './court.ts'
import { addExcepted, type ExceptionCounts } from './exception.ts'
import type { Unrated } from './policy.ts'
import type { FindingRuleKind, RuleOf } from './rule.ts'
import { decided, type RuleVerdict, undecided } from './rule-verdict.ts'
import { maxEvidence, type Violation, violationOfFinding } from './violation.ts'

type FindingRule = RuleOf<FindingRuleKind>

/** Words before and after the noun. */
const words: Record<FindingRuleKind, { before?: string; after?: string }> = {
  new: { before: 'new' },
  regressed: { before: 'regressed' },
  more: { after: 'with a higher count' },
  findings: {},
}

/** A finding to judge; suppressed ones are covered by an annotation in the cluster or an exception of the scanner. */
type JudgedFinding = ReceivedFinding & Pick<Partial<ListedFinding>, 'suppressed'>

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
    if (exception) addExcepted(tally.exceptedBy, exception, count)
    else if (until) days.add(until)
    else if (isCounted) tally.add(finding, severity, count)
    else tally.addUnknown(finding, count)
  }
  const isUsed = tally.counted > 0 && tally.counted <= rule.allowed
  const allowed = isUsed ? `allowed: ${tally.counted} of ${rule.allowed}` : `${rule.allowed} allowed`
  const reason = `${foundText(tally.counted, rule)}; ${allowed}`
  const isOpen = tally.counted <= rule.allowed && tally.counted + tally.unknown > rule.allowed
  return {
    ...(isOpen
      ? undecided(`${reason}. The severity of ${tally.unknown} more is unknown: ${tally.unknownChecks()}`, 'severity')
      : decided(tally.counted > rule.allowed, reason)),
    violations: tally.violations(),
    total: tally.total,
    exceptedBy: tally.exceptedBy,
    passing,
    counted: tally.counted,
    notes: [
      ...takenInNote(passing, [...days].sort()),
      ...suppressedNote(tally.suppressed),
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
  readonly exceptedBy: ExceptionCounts = { file: 0, server: 0 }
  readonly #unknownChecks = new Set<string>()
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
    this.#unknownChecks.add(check_id ?? 'a check without an id')
  }

  violations(): Violation[] {
    return [...this.#shown.values()].flat().slice(0, maxEvidence)
  }

  unknownChecks(): string {
    return listed([...this.#unknownChecks])
  }
}

function takenInNote(passing: HeldBack[], [first]: string[]): string[] {
  const taken = passing.filter(({ until }) => until !== null).length
  return first === undefined ? [] : [`${plural(taken, 'finding')} taken in, the first until ${first}`]
}

const suppressedNote = (count: number): string[] =>
  count > 0 ? [`${plural(count, 'suppressed finding')} not counted`] : []

function unratedNote(findings: JudgedFinding[], unrated: Unrated): string[] {
  const count = findings.filter(({ is_unrated, suppressed }) => is_unrated && !suppressed).length
  if (count === 0) return []
  const how = { ignore: 'by the severity that relt assigns', undecided: 'as unknown' }
  return [
    `${plural(count, 'finding')} without a rating by the scanner: counted ${unrated === 'ignore' || unrated === 'undecided' ? how[unrated] : `as ${unrated}`} (unrated: ${unrated})`,
  ]
}

/** Omits "or above" for critical. */
function foundText(count: number, { kind, severity }: FindingRule): string {
  const { before = '', after = '' } = words[kind]
  const noun = [before, severity === 'critical' && 'critical', 'finding'].filter(Boolean).join(' ')
  const least = severity === 'critical' ? '' : `at or above ${severity}`
  return [plural(count, noun), after, least].filter(Boolean).join(' ')
}
