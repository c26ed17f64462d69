import { clusterAttention } from '../../contract/choices.ts'
import type { Attention } from '../../contract/cluster.ts'
import { staleDays } from '../../contract/thresholds.ts'
import { isSilent } from '../../reports/rhythm.ts'
import type { ClusterFigures, ScannerFigures } from '../../store/fleet/figures.ts'
import type { PromisedReports } from '../../store/fleet/silence.ts'
import { daySeconds, type UnixSeconds } from '../../util/time.ts'

export interface ExpectedReports {
  /** Expected interval between reports in seconds. */
  every: number
  setBy: 'cluster' | 'agent' | 'runs'
  /** Since when an agent has promised reports; 0 if none does. */
  since: UnixSeconds
}

/**
 * Expected reports: by the cluster's setting, else by an agent's promise, else by the usual interval. Null if none is known.
 */
export function expectedReports(
  { expectedEvery }: Pick<ClusterFigures, 'expectedEvery'>,
  promised: PromisedReports | undefined,
  usual?: number,
): ExpectedReports | null {
  const since = promised?.since ?? 0
  if (expectedEvery !== null) return { every: expectedEvery, setBy: 'cluster', since }
  if (promised) return { every: promised.every, setBy: 'agent', since }
  return usual === undefined ? null : { every: usual, setBy: 'runs', since }
}

/**
 * Whether a report is overdue; null if none is expected. `at`: time of the latest report. The grace period is a quarter of
 * the interval.
 */
export function isOverdue(expected: ExpectedReports | null, at: UnixSeconds, now: UnixSeconds) {
  if (!expected) return null
  const { every, since, setBy } = expected
  if (setBy === 'runs') return isSilent(every, now - at)
  return now - Math.max(at, since) > every + every / 4
}

type Reasons = Partial<Record<Attention, boolean>>

/** Why a scanner's latest run needs attention. Unknown figures are no reason, nor an all-clear. */
export function scannerAttention(
  { latest, changes }: ScannerFigures,
  isLate: boolean | null,
  now: UnixSeconds,
): Attention[] {
  const { gate, at, notRunChecks, knownFaults, scopeGaps } = latest
  return named({
    gate_failed: gate?.verdict === 'failed',
    new_critical: sum(changes?.new_critical, changes?.regressed_critical) > 0,
    overdue: isLate === true,
    stale_scan: now - at > staleDays * daySeconds,
    new_high: sum(changes?.new_high, changes?.regressed_high) > 0,
    gate_undecided: gate?.verdict === 'undecided',
    checks_not_run: notRunChecks > knownFaults,
    scope_reduced: scopeGaps > 0,
    score_fell: sum(changes?.score_delta) < 0,
    new_findings: sum(changes?.new_findings, changes?.regressed_findings) > 0,
  })
}

/** Combines reasons of a cluster's scanners and of what runs in it. */
export function toClusterAttention(
  { scanners, summary }: Pick<ClusterFigures, 'scanners' | 'summary'>,
  ofScanners: Attention[],
  isLate: boolean | null,
): Attention[] {
  return named({
    ...Object.fromEntries(ofScanners.map((reason) => [reason, true])),
    ...(isLate && { overdue: true }),
    compromised: sum(summary?.compromised) > 0,
    exploited: sum(summary?.exploited) > 0,
    no_scan: scanners.length === 0,
    affected_critical: sum(summary?.affected_critical) > 0,
    support_ended: sum(summary?.ended) > 0,
    retired: sum(summary?.retired) > 0,
    affected_high: sum(summary?.affected_high) > 0,
    support_ending: sum(summary?.ending) > 0,
    major_behind: sum(summary?.major_behind) > 0,
  })
}

const sum = (...counts: (number | null | undefined)[]) => counts.reduce<number>((total, each) => total + (each ?? 0), 0)

/** Most urgent first. */
const named = (reasons: Reasons): Attention[] => clusterAttention.filter((reason) => reasons[reason])

/** Higher is more urgent: a reason outweighs all later ones in the list. */
export function urgencyFor(attention: Attention[]) {
  return attention.reduce(
    (total, reason) => total + 2 ** (clusterAttention.length - clusterAttention.indexOf(reason)),
    0,
  )
}
