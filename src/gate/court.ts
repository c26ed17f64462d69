import type { ComparedReason, HeldBack } from '../contract/gate-baseline.ts'
import type { ReceivedComparison, ReceivedFreshness, ReceivedRun } from '../contract/received/cluster-report.ts'
import type { UpgradePlan } from '../contract/upgrade.ts'
import type { ListedFinding } from '../reports/list-findings.ts'
import type { Exceptions } from './exception.ts'
import type { Policy } from './policy.ts'

/** What a rule about changes compares a run with. */
export interface ComparedChanges {
  why: ComparedReason
  run_id: string | null
  at: string | null
  /** Undefined without anything to compare with. */
  comparison?: ReceivedComparison | undefined
  held: HeldBack[]
  /** A later run that somebody took in until a day. */
  takenIn?: { comparison: ReceivedComparison; until: string; by: string } | undefined
}

/** Evidence about a run. A rule whose evidence is missing is undecided. */
export interface GateEvidence {
  run: ReceivedRun
  /** By rule; a rule on findings needs what the run did not look at. */
  changes?: ReadonlyMap<string, ComparedChanges>
  /** For outputs: that of the first rule about changes, else with the previous run. Undefined if there is nothing to compare. */
  comparison?: ReceivedComparison | undefined
  freshness?: ReceivedFreshness | undefined
  findings?: ListedFinding[] | undefined
  /** Upgrade plans of its cluster, by the rule that needs one. */
  plans?: ReadonlyMap<string, UpgradePlan> | undefined
  /** The run is queued for its server, so it is unknown whether there is an earlier one. */
  isUnsent?: boolean
}

/** What judges have. */
export interface Court extends GateEvidence {
  policy: Policy
  exceptions: Exceptions
  /** `YYYY-MM-DD`, UTC. */
  today: string
}
