import type { AcceptedScope, CheckNotRun } from '../contract/cluster-report.ts'
import type { Coverage } from '../contract/freshness.ts'
import type { FindingRuleKind, GateRule } from '../contract/gate-rule.ts'
import type { ReceivedComparison, ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import { expirySoonDays } from '../contract/thresholds.ts'
import type { UpgradePlan } from '../contract/upgrade.ts'
import type { ListedFinding } from '../reports/list-findings.ts'
import { daySeconds, formatTimestamp } from '../util/time.ts'
import { listed, count as plural } from '../util/words.ts'
import { coverageText } from '../views/coverage-text.ts'
import { type RunSubject, toSubject } from '../views/scan.ts'
import { Acceptance, type AcceptedChecks, type ScopeEntry } from './accept-not-run.ts'
import { toCoverage } from './coverage.ts'
import type { EntryUses } from './entry-uses.ts'
import {
  type ExceptionCounts,
  Exceptions,
  type ExceptionUse,
  type ExceptionUses,
  exceptionsOfRun,
} from './exception.ts'
import { judgeAdvisories } from './judge-advisories.ts'
import { judgeArtifacts } from './judge-artifacts.ts'
import { judgeChanges } from './judge-changes.ts'
import { judgeCompromised } from './judge-compromised.ts'
import { judgeExploited } from './judge-exploited.ts'
import { judgeFindings } from './judge-findings.ts'
import { judgeKubernetes } from './judge-kubernetes.ts'
import { judgeSkew } from './judge-nodes.ts'
import { judgeReadiness } from './judge-readiness.ts'
import { judgeRiskPaths } from './judge-risk-paths.ts'
import { judgeScore, judgeScoreDrop } from './judge-score.ts'
import { judgeUpgrade } from './judge-upgrade.ts'
import { findGaps, incomparableNote } from './not-run.ts'
import type { Policy } from './policy.ts'
import { type Gaps, type Lack, type RuleVerdict, undecided, type Verdict } from './rule-verdict.ts'
import { patternOfEntry } from './scope-gaps.ts'
import type { Violation } from './violation.ts'

/** Evidence about a run. A rule whose evidence is missing is undecided. */
export interface GateEvidence {
  run: ReceivedRun
  /** Undefined if the cluster has no earlier run. */
  comparison?: ReceivedComparison | undefined
  freshness?: ReceivedFreshness | undefined
  findings?: ListedFinding[] | undefined
  /** Upgrade plans of its cluster, by the rule that needs one. */
  plans?: ReadonlyMap<string, UpgradePlan> | undefined
  /** The store was empty before this run. */
  isStoreNew?: boolean
  /** The run is queued for its server, so it is unknown whether there is an earlier one. */
  isUnsent?: boolean
}

export interface RuleResult {
  rule: string
  kind: GateRule['kind']
  verdict: Verdict
  /** One sentence with the deciding numbers, or with what is missing. */
  reason: string
  /** Violations of the rule, worst first, at most `maxEvidence`. */
  evidence: Violation[]
  /** Number of different findings or artifacts; `reason` may count a finding several times. */
  evidence_total: number
  /** Number of items that exceptions let pass. */
  excepted: number
  /** Number by origin of the exceptions, policy file or server; absent if there are none. */
  excepted_by?: ExceptionCounts
  /** Notes that do not change the verdict. */
  notes: string[]
  /** Why it is undecided, if `--allow-unknown` let it pass; else null. */
  allowed_unknown: string | null
  /** Why it is undecided, if the user can do something about it. */
  lacks?: Lack
}

/** The result of a gate, with the run that it is about. */
export interface GateResult extends RunSubject {
  verdict: Verdict
  /** Number of checks that did not run, whatever the rules allow. Null if a server does not return it. */
  not_run_checks: number | null
  /** How many of them a known fault of the scanner prevents; no rule depends on them. */
  known_faults: number
  is_empty: boolean | null
  /** A pipeline found its local store empty, so there was nothing to compare with. */
  empty_store?: true
  rules: RuleResult[]
  exceptions: ExceptionUses
  /** Exceptions that expire soon, and unknowns about exceptions, one sentence each; absent if there are none. */
  remarks?: string[]
  /** Uses of `accept_not_run` entries. */
  accept_not_run: EntryUses<AcceptedChecks>
  accept_scope: EntryUses<ScopeEntry>
  /** The accepted scope of the cluster and scanner; undefined if the server does not support it. */
  accepted_scope?: AcceptedScope
  /** Coverage of the rules on artifacts; undefined without such a rule. */
  coverage?: Coverage
  /** `coverage` as a sentence. */
  coverage_summary?: string
}

/** `now` is in unix seconds. A failed rule fails the gate, even if another is undecided. */
export function evaluateGate(policy: Policy, evidence: GateEvidence, now: number): GateResult {
  const today = formatTimestamp(now).slice(0, 10)
  const exceptions = new Exceptions(exceptionsOfRun(policy.exceptions, evidence.run), today)
  const acceptances = {
    notRun: new Acceptance(policy.acceptNotRun, ({ check }) => check, today),
    scope: new Acceptance(policy.acceptScope ?? [], patternOfEntry, today),
    newScope: policy.newScope ?? 'undecided',
  }
  const court = { policy, evidence, exceptions, today }
  const rules = policy.rules.map((rule) => {
    return toResult(rule, withGaps(judge(rule, court), findGaps(rule, evidence, acceptances)))
  })
  const uses = exceptions.uses()
  const faults = (evidence.run.checks_not_run ?? []).filter(({ known_fault }) => known_fault !== undefined)
  const remarks = [
    ...(policy.exceptionsGap ? [policy.exceptionsGap] : []),
    ...expiringRemarks(uses, now),
    ...faultRemarks(faults),
  ]
  const has = (verdict: Verdict) => rules.some((rule) => rule.verdict === verdict)
  return {
    ...toSubject(evidence.run, { now, isUnsent: evidence.isUnsent === true }),
    verdict: has('failed') ? 'failed' : has('undecided') || rules.length === 0 ? 'undecided' : 'passed',
    not_run_checks: evidence.run.not_run_checks ?? null,
    known_faults: faults.length,
    is_empty: evidence.run.is_empty ?? null,
    ...(evidence.isStoreNew && evidence.run.ci && { empty_store: true as const }),
    rules,
    exceptions: uses,
    ...(remarks.length > 0 && { remarks }),
    accept_not_run: acceptances.notRun.uses(),
    accept_scope: acceptances.scope.uses(),
    ...(evidence.run.accepted_scope && { accepted_scope: evidence.run.accepted_scope }),
    ...(evidence.freshness && coverageFields(evidence.freshness, evidence.run, today)),
  }
}

const mostNamed = 5

function faultRemarks(faults: CheckNotRun[]): string[] {
  const byFault = Map.groupBy(faults, ({ known_fault }) => known_fault)
  const named = [...byFault].map(([fault, own]) => `${own.map(({ check_id }) => check_id).join(', ')}: ${fault}`)
  const are = faults.length === 1 ? 'check is' : 'checks are'
  return faults.length === 0
    ? []
    : [`${faults.length} ${are} not judged, a known fault of the scanner. ${named.join('. ')}`]
}

function expiringRemarks({ used, unused }: ExceptionUses, now: number): string[] {
  const last = formatTimestamp(now + expirySoonDays * daySeconds).slice(0, 10)
  const expiring = [...used, ...unused]
    .filter(({ expires }) => expires <= last)
    .sort((a, b) => a.expires.localeCompare(b.expires))
  if (expiring.length === 0) return []
  const named = listed(expiring.map(describe), mostNamed)
  return [`${plural(expiring.length, 'exception')} will expire within ${expirySoonDays} days: ${named}`]
}

const describe = ({ source, expires, next_release_of }: ExceptionUse): string =>
  `${source} on ${expires}${next_release_of === undefined ? '' : `, or with the next release of ${next_release_of}`}`

function coverageFields(freshness: ReceivedFreshness, run: ReceivedRun, today: string) {
  const coverage = toCoverage(freshness)
  return { coverage, coverage_summary: coverageText(coverage, run, today) }
}

/** A gap makes a passed rule undecided. A failed rule stays failed. */
function withGaps({ allowedUnknown, ...judged }: RuleVerdict, { open, accepted, lacks }: Gaps): RuleVerdict {
  const [first, ...others] = open
  const notes = [...judged.notes, ...accepted]
  if (first === undefined) return { ...judged, ...(allowedUnknown !== undefined && { allowedUnknown }), notes }
  if (judged.verdict !== 'passed') return { ...judged, notes: [...notes, ...open] }
  const undecided = { ...judged, verdict: 'undecided' as const, reason: first, ...(lacks && { lacks }) }
  return { ...undecided, notes: [...others, judged.reason, ...notes] }
}

interface Court {
  policy: Policy
  evidence: GateEvidence
  exceptions: Exceptions
  today: string
}

function judge(rule: GateRule, { policy, evidence, exceptions, today }: Court): RuleVerdict {
  const { run, comparison, freshness, findings } = evidence
  if (rule.kind === 'compromised') return judgeCompromised(freshness, { exceptions, policy })
  const state = [run, freshness].map((each) => each?.processing_status ?? 'ready').find((each) => each !== 'ready')
  if (state !== undefined) return undecided(`The server has not finished with the run: ${state}`)
  switch (rule.kind) {
    case 'score':
      return judgeScore(rule.limit, run)
    case 'score-drop':
      return comparison ? judgeScoreDrop(rule.limit, comparison) : judgeAlone(policy, evidence)
    case 'new':
    case 'regressed':
    case 'more':
      return judgeDifference(rule, { policy, evidence, exceptions })
    case 'findings':
      return findings
        ? judgeFindings(rule, findings, { exceptions, unrated: policy.unrated })
        : undecided('The findings of the run are not available')
    case 'major-behind':
    case 'security-behind':
    case 'eol':
      if (freshness) return judgeArtifacts(rule, { run, freshness, exceptions, policy })
      return undecided(
        evidence.isUnsent ? 'The server is unreachable, so the releases are unknown' : 'Freshness is not available',
      )
    case 'affected':
    case 'fixable':
      if (freshness) return judgeAdvisories(rule, { run, freshness, exceptions, policy, today })
      return undecided(
        `The ${evidence.isUnsent ? 'server, which knows the advisories, could not be asked' : 'freshness is not at hand'}`,
      )
    case 'exploited':
      return judgeExploited(rule, { run, freshness, findings, exceptions, policy, today })
    case 'no-new-risk-path':
      return comparison ? judgeRiskPaths(comparison) : judgeAlone(policy, evidence)
    case 'aks-blockers':
      return judgeReadiness(rule.allowed, run)
    case 'kubernetes-eol':
      return judgeKubernetes(evidence, exceptions, today)
    case 'skew':
      return judgeSkew(freshness, exceptions)
    case 'upgrade-blockers':
      return judgeUpgrade(evidence.plans?.get(rule.text), exceptions)
  }
}

function judgeDifference(
  rule: GateRule & { kind: FindingRuleKind },
  { policy, evidence, exceptions }: Pick<Court, 'policy' | 'evidence' | 'exceptions'>,
): RuleVerdict {
  const { comparison } = evidence
  if (!comparison) return judgeAlone(policy, evidence)
  const [before, after] = [comparison.from?.format, comparison.to?.format]
  if (before && after && before !== after) {
    return undecided('The earlier run is from another scanner, so its findings cannot be compared')
  }
  if (rule.kind === 'more' && !comparison.changed_findings)
    return undecided('The server does not list counts that rose')
  const judged = judgeChanges(rule, { comparison, exceptions, policy })
  const leftOut = rule.kind === 'new' ? eventNote(comparison, policy) : []
  return { ...judged, notes: [...judged.notes, ...leftOut, ...incomparableNote(comparison)] }
}

function eventNote({ event_findings_count = 0 }: ReceivedComparison, { events }: Policy): string[] {
  return events === 'count' || event_findings_count === 0
    ? []
    : [`${plural(event_findings_count, 'event')} not counted (events: ignore)`]
}

function judgeAlone({ firstRun }: Policy, { isUnsent }: GateEvidence): RuleVerdict {
  if (isUnsent) return undecided('The server is unreachable, so the earlier runs are unknown')
  const reason = 'There is no earlier run to compare with'
  if (firstRun === 'undecided') return { ...undecided(reason), lacks: 'earlier_run' }
  return { ...undecided(`${reason}, and the policy lets a first run pass`), verdict: 'passed' }
}

function toResult({ text, kind }: GateRule, judged: RuleVerdict): RuleResult {
  const { verdict, reason, violations, total, exceptedBy, notes, allowedUnknown, lacks } = judged
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
    allowed_unknown: allowedUnknown ?? null,
    ...(lacks && { lacks }),
  }
}
