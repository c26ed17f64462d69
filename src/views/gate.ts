import type { ComparedReason } from '../contract/gate-baseline.ts'
import type { GateLimits, GateVerdict, PolicyVerdict, RunGate } from '../contract/gate-verdict.ts'
import { staleDays } from '../contract/thresholds.ts'
import { scannedAt } from '../reports/run-subject.ts'
import { daySeconds, formatDay, parseTimestamp, type UnixSeconds } from '../util/time.ts'
import { andMore, count, number } from '../util/words.ts'
import { countNotRun, type NotRunCounts } from './not-run.ts'
import { type Said, safe, say, type Tone } from './said.ts'
import { verdictTones } from './verdict.ts'
import { columnsOf, type ViewVerdict } from './view.ts'

export const verdictSigns: Record<GateVerdict, string> = { passed: '✓', failed: '✗', undecided: '?' }

/** Symbols for media without colors. */
const toneMarks: Partial<Record<Tone, string>> = { good: '✅', bad: '❌', warn: '⚠️' }

/** `✅ passed`, or `⚠️ passed` if there are limitations. */
export const markedVerdict = (tone: Tone, verdict: GateVerdict): string => `${toneMarks[tone] ?? ''} ${verdict}`.trim()

/** A rule that was evaluated now or earlier. */
export interface JudgedRule {
  rule: string
  verdict: GateVerdict
  reason: string
  excepted: number
  /** The policy let it pass, although something was not read or not known: true, or what. */
  allowed_unknown?: boolean | string | null | undefined
}

/** Passed, but not green. */
export const isLetPass = ({ verdict, allowed_unknown: allowed }: JudgedRule): boolean =>
  verdict === 'passed' && !!allowed

/** A rule that passed undecided is not green. */
export const ruleTone = (rule: JudgedRule): Tone => (isLetPass(rule) ? 'warn' : verdictTones[rule.verdict])

/** Level in media with annotation levels: a rule that passed undecided is a warning rather than an error. */
export function ruleLevel(rule: JudgedRule): 'error' | 'warning' | undefined {
  if (rule.verdict === 'failed') return 'error'
  return isOpenRule(rule) ? 'warning' : undefined
}

/** Whether a rule needs more explanation than "passed". */
export const isOpenRule = (rule: JudgedRule): boolean => rule.verdict !== 'passed' || isLetPass(rule)

export const ruleColumns = Object.values(
  columnsOf<JudgedRule>()({
    rule: { text: ({ rule }) => rule, reveals: 'safe' },
    verdict: { text: ({ verdict }) => verdict, tone: ruleTone, reveals: 'safe' },
    reason: { text: ({ reason }) => reason, reveals: 'text' },
    excepted: { text: ({ excepted }) => number(excepted), reveals: 'safe', align: 'right' },
  }),
)

/** The run that a verdict is about. Null if a server does not return it. */
export interface JudgedRun {
  age_seconds: number | null
  not_run_checks: number | null
  known_faults?: number | undefined
  is_empty: boolean | null
}

interface Judged {
  verdict: GateVerdict
  rules: JudgedRule[]
  run: JudgedRun
}

interface Known {
  /** Number of findings that the scanner counts but the report does not list; null if unknown. */
  unlisted?: number | null
  /** Number of exceptions that have ended since. */
  ended?: number
}

/** `Gate passed`; a verdict with limitations is not green, whatever the policy allows. */
export function viewGate({ verdict, rules, ...judged }: Judged, known: Known = {}): ViewVerdict {
  const gaps = [...ruleLimits(rules), ...runLimits(judged.run, known)]
  return {
    state: verdict === 'passed' && gaps.length > 0 ? 'undecided' : verdict,
    words: [safe(`Gate ${verdict}`)],
    gaps,
    more: [reasonFor(verdict, rules)],
  }
}

/** Limits of all policies' verdicts, for lists. */
export function limitsFor(policies: PolicyVerdict[]): GateLimits {
  const rules = policies.flatMap((policy) => policy.rules).filter(isLetPass)
  const [first = null] = policies.flatMap((policy) => usedBy(policy).map(({ expires }) => expires)).sort()
  return { let_pass: rules.length, exceptions_end: first }
}

/** Limits of a verdict in a list, which does not include the rules. */
function shortLimits({ verdict, limits, policies }: RunGate, today: string): Said[] {
  if (policies || verdict !== 'passed') return []
  if (!limits) return [say`It is not known whether its policies let something pass`]
  const { let_pass, exceptions_end: end } = limits
  return [
    ...(let_pass > 0 ? [say`Its policies let ${let_pass} pass that nobody decided`] : []),
    ...(end !== null && end < today ? [say`An exception that it used ended on ${safe(end)}`] : []),
  ]
}

/** The latest verdict of each policy. */
export function viewRecordedGate(
  gate: RunGate,
  run: JudgedRun,
  known: Omit<Known, 'ended'> & { now: number },
): ViewVerdict {
  const policies = gate.policies ?? []
  const today = formatDay(known.now)
  const ended = policies.flatMap(usedBy).filter(({ expires }) => expires < today).length
  const rules = policies.flatMap((policy) => policy.rules)
  const view = viewGate({ verdict: gate.verdict, rules, run }, { ...known, ended })
  const gaps = [...shortLimits(gate, today), ...view.gaps]
  return { ...view, gaps, state: gate.verdict === 'passed' && gaps.length > 0 ? 'undecided' : gate.verdict }
}

/** Tone of a verdict in a table. */
export const recordedTone = (gate: RunGate, run: JudgedRun, now: UnixSeconds): Tone =>
  verdictTones[viewRecordedGate(gate, run, { now }).state]

type Facts = NotRunCounts & { is_empty?: boolean | null | undefined }

export const judgedRun = (run: Parameters<typeof scannedAt>[0] & Facts, now: UnixSeconds): JudgedRun =>
  judgedScan(scannedAt(run), run, now)

/** Summary of a cluster's latest run. */
export const judgedLatest = (
  row: { last_scan: string | null; latest_run: Facts | null },
  now: UnixSeconds,
): JudgedRun => judgedScan(row.last_scan, row.latest_run ?? {}, now)

function judgedScan(
  scanned: string | null,
  { not_run_checks = null, known_faults, is_empty = null }: Facts,
  now: UnixSeconds,
): JudgedRun {
  const at = parseTimestamp(scanned ?? '')
  return { age_seconds: at === undefined ? null : now - at, not_run_checks, known_faults, is_empty }
}

/** Tone of a single policy's verdict, regardless of gaps in the scan. */
export const policyTone = ({ verdict, rules }: PolicyVerdict): Tone =>
  verdict === 'passed' && rules.some(isLetPass) ? 'warn' : verdictTones[verdict]

/** What let rules pass for a time. */
const usedBy = ({ exceptions, undecided_lines = [] }: PolicyVerdict) => [...exceptions, ...undecided_lines]

function ruleLimits(rules: JudgedRule[]): Said[] {
  const allowed = rules.filter(isLetPass).length
  return allowed > 0 ? [say`The policy let ${safe(count(allowed, 'rule'))} pass that it cannot decide`] : []
}

function runLimits(run: JudgedRun, { unlisted = 0, ended = 0 }: Known): Said[] {
  const { age_seconds, is_empty } = run
  const notRun = countNotRun(run)
  const days = Math.floor((age_seconds ?? 0) / daySeconds)
  return [
    ...(days > staleDays ? [say`The scan is ${days} days old`] : []),
    ...(notRun === undefined ? [say`Whether every check ran is not known`] : []),
    ...(notRun ? [say`${safe(count(notRun, 'check'))} did not run`] : []),
    ...(unlisted === null ? [say`Its findings are not known`] : []),
    ...(unlisted ? [say`The report does not list ${safe(count(unlisted, 'finding'))} that the scanner counted`] : []),
    ...(is_empty ? [say`The scan looked at nothing`] : []),
    ...(ended > 0
      ? [say`${safe(count(ended, 'exception'))} that it used ${safe(ended === 1 ? 'has' : 'have')} ended since`]
      : []),
  ]
}

const mostReasons = 3

/** The rules that determined the verdict. */
function reasonFor(verdict: GateVerdict, rules: JudgedRule[]): Said {
  if (rules.length === 0) return say`The rules are not listed`
  const deciding = rules.filter((rule) => rule.verdict === verdict)
  const isPassed = verdict === 'passed'
  const named = deciding
    .slice(0, mostReasons)
    .flatMap(({ rule, reason }, i) => [
      ...(i > 0 ? [safe('; ')] : []),
      ...(reason && !isPassed ? say`${safe(rule)}: ${reason}` : say`${safe(rule)}`),
    ])
  const rest = deciding.length - mostReasons
  const excepted = rules.reduce((sum, rule) => sum + rule.excepted, 0)
  const how = isPassed && say`${safe(count(deciding.length, 'rule'))} passed: `
  return say`${how}${named}${rest > 0 && say`, ${safe(andMore(rest))}`}${excepted > 0 && say`. Exceptions let ${excepted} pass`}`
}

/** Why a run is what a rule compares with. */
export const baselineWords: Record<ComparedReason, string> = {
  passed: 'passed',
  taken_in: 'taken in',
  begun: 'the first run',
  begins: 'begins here',
  asked: 'as asked for',
  previous: 'the run before: the server has no baselines',
  new_subject: 'new in its cluster',
  none: 'nothing',
}

export const linesTitle = 'Lines of undecided'

/** `Exceptions: 1 used, 0 unused, 0 expired`; undefined if there are none. */
export function usesText(
  what: string,
  { used, unused, expired }: Record<'used' | 'unused' | 'expired', unknown[]>,
): string | undefined {
  if (used.length + unused.length + expired.length === 0) return undefined
  return `${what}: ${used.length} used, ${unused.length} unused, ${expired.length} expired`
}
