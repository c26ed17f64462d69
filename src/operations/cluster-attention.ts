import { clusterAttention, staleDays } from '../contract/choices.ts'
import type { Attention } from '../contract/cluster.ts'
import type { ClusterFigures } from '../store/cluster-summary.ts'

type Figures = Pick<ClusterFigures, 'expectedEvery' | 'latest' | 'summary'>

const daySeconds = 86_400

/** Null where no interval is set. A cluster that was never scanned is overdue. `now` is in unix seconds. */
export function isOverdue({ expectedEvery, latest }: Figures, now: number): boolean | null {
  if (expectedEvery === null) return null
  return latest === undefined || now - latest.at > expectedEvery
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
