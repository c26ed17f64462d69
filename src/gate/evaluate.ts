import type { CheckNotRun } from '../contract/cluster-report.ts'
import type { Coverage } from '../contract/freshness.ts'
import { expirySoonDays } from '../contract/thresholds.ts'

import { type RunSubject, toSubject } from '../reports/run-subject.ts'
import { daySeconds, formatDay } from '../util/time.ts'

import type { Court, GateEvidence } from './court.ts'
import { toCoverage } from './coverage.ts'
import { type Cause, findCauses, type RuleGap } from './cure.ts'
import type { EntryUses } from './entry-uses.ts'
import { type ExceptionCounts, Exceptions, type ExceptionUses, exceptionsOfRun } from './exception.ts'
import { type Gap, type GapScope, neverAccepted } from './gap.ts'
import { findGaps } from './gaps.ts'
import type { Policy } from './policy.ts'
import type { Reason } from './reason.ts'
import { type RuleVerdict, undecided, type Verdict } from './rule-verdict.ts'
import { type GateRule, listsArtifacts, rowOf } from './rules.ts'
import { type UndecidedLine, UndecidedLines } from './undecided-line.ts'
import type { Violation } from './violation.ts'

export type { GateEvidence } from './court.ts'

/** `R`: how sentences are given. */
export interface RuleResult<R = Reason> {
  rule: string
  kind: GateRule['kind']
  verdict: Verdict
  /** One sentence with the deciding numbers, or with what is missing. */
  reason: R
  /** Violations of the rule, worst first, at most `maxEvidence`. */
  evidence: Violation<R>[]
  /** Number of different findings or artifacts; `reason` may count a finding several times. */
  evidence_total: number
  /** Number of items that exceptions let pass. */
  excepted: number
  /** Number by origin of the exceptions, policy file or server; absent if there are none. */
  excepted_by?: ExceptionCounts
  /** Notes that do not change the verdict. */
  notes: R[]
  /** What was not read or known, if the policy let it pass; else null. */
  allowed_unknown: R | null
  /** What a rule about changes compares with. */
  baseline?: { run_id: string | null; at: string | null; why: NonNullable<Change>['why'] }
  /** It moves the baseline of the rule. */
  moves?: RuleVerdict['moves']
}

type Change = ReturnType<NonNullable<GateEvidence['changes']>['get']>

/** The result of a gate, with the run that it is about. */
export interface GateResult<R = Reason> extends RunSubject {
  verdict: Verdict
  /** Number of checks that did not run, whatever the rules allow. Null if a server does not return it. */
  not_run_checks: number | null
  /** How many of them a known fault of the scanner prevents; no rule depends on them. */
  known_faults: number
  is_empty: boolean | null
  rules: RuleResult<R>[]
  /** What leaves rules undecided, by cause. */
  causes: Cause<R>[]
  exceptions: ExceptionUses
  /** Other subjects of the cluster whose latest verdict is that it failed; absent if there are none, or if not asked. */
  failed_subjects?: string[]
  /** Exceptions that expire soon, and unknowns about exceptions, one sentence each; absent if there are none. */
  remarks?: R[]
  /** Uses of the policy's lines under `undecided`. */
  undecided_lines: EntryUses<UndecidedLine>
  /** Coverage of the rules on artifacts; undefined without such a rule. */
  coverage?: Coverage
}

/** `now` is in unix seconds. A failed rule fails the gate, even if another is undecided. */
export function evaluateGate(policy: Policy, evidence: GateEvidence, now: number): GateResult {
  const today = formatDay(now)
  const exceptions = new Exceptions(exceptionsOfRun(policy.exceptions, evidence.run), today)
  const lines = new UndecidedLines(policy.undecided ?? [], evidence.run.cluster_name, today)
  const court: Court = { ...evidence, policy, exceptions, today }
  const gaps: RuleGap[] = []
  const rules = policy.rules.map((rule) => {
    const { open, ...judged } = withGaps(judge(rule, court), findGaps(rule, rowOf(rule).scope, court), lines)
    if (judged.verdict === 'undecided') gaps.push(...open.map((gap) => ({ rule: rule.text, ...gap })))
    return toResult(rule, judged, evidence.changes?.get(rule.text))
  })
  const uses = exceptions.uses()
  const faults = (evidence.run.checks_not_run ?? []).filter(({ known_fault }) => known_fault !== undefined)
  const remarks = [
    ...(policy.exceptionsGap ? [policy.exceptionsGap] : []),
    ...expiringRemarks(uses, now),
    ...faultRemarks(faults),
    ...(evidence.isUnsent && policy.rules.some((rule) => scopesOfScan.includes(rowOf(rule).scope))
      ? [{ code: 'unsent_gone' as const }]
      : []),
  ]
  const has = (verdict: Verdict) => rules.some((rule) => rule.verdict === verdict)
  const subject = toSubject(evidence.run, { now, isUnsent: evidence.isUnsent === true })

  return {
    ...subject,
    verdict: has('failed') ? 'failed' : has('undecided') || rules.length === 0 ? 'undecided' : 'passed',
    not_run_checks: evidence.run.not_run_checks ?? null,
    known_faults: faults.length,
    is_empty: evidence.run.is_empty ?? null,
    rules,
    causes: findCauses(gaps, { ...subject, today }),
    exceptions: uses,
    ...(remarks.length > 0 && { remarks }),
    undecided_lines: lines.uses(),
    ...(evidence.freshness && { coverage: toCoverage(evidence.freshness) }),
  }
}

/** Rules that a check which is gone could break. */
const scopesOfScan: GapScope[] = ['findings', 'score', 'aks']

const faultRemarks = (faults: CheckNotRun[]): Reason[] => (faults.length > 0 ? [{ code: 'known_faults', faults }] : [])

function expiringRemarks({ used, unused }: ExceptionUses, now: number): Reason[] {
  const last = formatDay(now + expirySoonDays * daySeconds)
  const expiring = [...used, ...unused]
    .filter(({ expires }) => expires <= last)
    .sort((a, b) => a.expires.localeCompare(b.expires))
  return expiring.length > 0 ? [{ code: 'expiring', expiring, days: expirySoonDays }] : []
}

/**
 * What can hide a violation makes a passed rule undecided, unless a line of the policy lets it pass. A failed rule stays failed.
 */
function withGaps(
  judged: RuleVerdict,
  ofScan: Gap[],
  lines: UndecidedLines,
): RuleVerdict & { open: Gap[]; allowed?: Reason | undefined } {
  const own = judged.gaps ?? []
  // What was not read is why scores cannot be compared.
  const gaps = [...ofScan, ...(ofScan.length > 0 ? own.filter(({ part }) => part !== 'score') : own)]
  if (judged.verdict === 'failed' || (judged.verdict === 'passed' && gaps.length === 0)) return { ...judged, open: [] }
  const found = gaps.map((gap) => ({ gap, line: neverAccepted.includes(gap.part) ? undefined : lines.find(gap) }))
  const open = found.flatMap(({ gap, line }) => (line ? [] : gap))
  const { otherwise = judged } = judged
  const met = found.filter(({ line }) => line)
  const by = new Set(met.map(({ line }) => line!.source))
  const told: Reason[] =
    met.length > 0 ? [{ code: 'accepted_gaps', by: [...by].join(', '), gaps: met.map(({ gap }) => gap) }] : []
  if (open.length === 0) return { ...otherwise, notes: [...told, ...otherwise.notes], open, allowed: told[0] }
  const isOwn = own.length > 0 && open.some((gap) => own.includes(gap))
  const reason: Reason = isOwn ? judged.reason : { code: 'gaps', gaps: open }
  const notes = judged.verdict === 'passed' ? [judged.reason, ...judged.notes] : judged.notes
  return { ...judged, verdict: 'undecided', reason, notes: [...told, ...notes], open }
}

function judge(rule: GateRule, court: Court): RuleVerdict {
  const { run, freshness } = court
  const row = rowOf(rule)
  if (rule.kind !== 'compromised') {
    const state = [run, freshness].map((each) => each?.processing_status ?? 'ready').find((each) => each !== 'ready')
    if (state !== undefined) return undecided({ code: 'not_finished', state })
  }
  const isEmpty = run.is_empty ?? run.total_checks === 0
  // A run with an inventory and no checks decides rules on artifacts.
  if (isEmpty && !(row.needs.includes('freshness') && listsArtifacts(run))) {
    return undecided({ code: 'empty_report' }, 'report')
  }
  return row.judge(rule, court)
}

function toResult(
  { text, kind }: GateRule,
  judged: RuleVerdict & { allowed?: Reason | undefined },
  change: Change,
): RuleResult {
  const { verdict, reason, violations, total, exceptedBy, notes, allowed, moves } = judged
  const excepted = exceptedBy ? exceptedBy.file + exceptedBy.server : 0
  return {
    rule: text,
    kind,
    verdict,
    reason,
    evidence: violations,
    evidence_total: total,
    excepted,
    ...(excepted > 0 && exceptedBy && { excepted_by: exceptedBy }),
    notes,
    allowed_unknown: (verdict === 'passed' && allowed) || null,
    ...(change && { baseline: { run_id: change.run_id, at: change.at, why: change.why } }),
    ...(verdict === 'passed' && moves && { moves }),
  }
}
