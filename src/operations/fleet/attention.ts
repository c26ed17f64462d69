import { clusterAttention, staleDays } from '../../contract/choices.ts'
import type { Attention } from '../../contract/cluster.ts'
import type { PromisedReports } from '../../store/fleet/silence.ts'
import type { ClusterFigures } from '../../store/fleet/summary.ts'
import type { UnixSeconds } from '../../util/time.ts'

export type Figures = Pick<ClusterFigures, 'latest' | 'summary'> & { expected: ExpectedReports | null }

const daySeconds = 86_400

export interface ExpectedReports {
  /** Seconds. */
  every: number
  setBy: 'cluster' | 'agent'
  /** When an agent began to promise them; 0: none does. */
  since: UnixSeconds
}

/** The setting of the cluster goes before what agents promise. Null where neither is. */
export function expectedReports(
  { expectedEvery }: Pick<ClusterFigures, 'expectedEvery'>,
  promised: PromisedReports | undefined,
): ExpectedReports | null {
  const since = promised?.since ?? 0
  if (expectedEvery !== null) return { every: expectedEvery, setBy: 'cluster', since }
  return promised ? { every: promised.every, setBy: 'agent', since } : null
}

/** Null where no reports are expected. A quarter of the interval is grace. */
export function isOverdue(
  { expected, latest }: Pick<Figures, 'expected' | 'latest'>,
  now: UnixSeconds,
): boolean | null {
  if (!expected) return null
  const { every, since } = expected
  return now - Math.max(latest?.at ?? 0, since) > every + every / 4
}

/** Why a cluster needs somebody, the most urgent first. Unknown figures are no reason, and no all-clear either. */
export function attentionOf(figures: Figures, now: number): Attention[] {
  const { latest, summary } = figures
  const { gateVerdict = null, at = now, notRunChecks = 0 } = latest ?? {}
  const sum = (...counts: (number | null | undefined)[]) =>
    counts.reduce<number>((total, each) => total + (each ?? 0), 0)
  const reasons: Record<Attention, boolean> = {
    gate_failed: gateVerdict === 'failed',
    new_critical: sum(summary?.new_critical, summary?.regressed_critical) > 0,
    overdue: isOverdue(figures, now) === true,
    no_scan: latest === undefined,
    stale_scan: now - at > staleDays * daySeconds,
    affected_critical: sum(summary?.affected_critical) > 0,
    new_high: sum(summary?.new_high, summary?.regressed_high) > 0,
    support_ended: sum(summary?.ended) > 0,
    gate_undecided: gateVerdict === 'undecided',
    checks_not_run: notRunChecks > 0,
    score_fell: (summary?.score_delta ?? 0) < 0,
    new_findings: sum(summary?.new_findings, summary?.regressed_findings) > 0,
    affected_high: sum(summary?.affected_high) > 0,
    support_ending: sum(summary?.ending) > 0,
    major_behind: sum(summary?.major_behind) > 0,
  }
  return clusterAttention.filter((reason) => reasons[reason])
}

/** The more urgent the greater: a reason outweighs all that come after it. */
export function urgencyOf(attention: Attention[]): number {
  return attention.reduce((sum, reason) => sum + 2 ** (clusterAttention.length - clusterAttention.indexOf(reason)), 0)
}
