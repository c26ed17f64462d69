import type { Env } from '../../../config/env.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { parseTimestamp } from '../../../util/time.ts'
import type { Io } from '../../output/io.ts'
import { count } from '../../output/remarks.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'
import type { Column } from '../../output/table.ts'
import { ago, span } from '../../output/time.ts'

/** For people and programs alike; a terminal shows what fits. */
export function clusterColumns(io: Io, now: number, env: Env): Column<ReceivedCluster>[] {
  const { color, isTerminal } = io
  return [
    { title: 'Cluster', value: ({ cluster_name }) => cluster_name, style: (cell) => color.bold(cell), min: 12 },
    { title: 'Environment', value: ({ environment }) => environment, min: 4 },
    { title: 'Score', value: ({ latest_run }) => text(latest_run?.score), align: 'right' },
    {
      title: 'Change',
      value: ({ latest_run }) => signed(latest_run?.score_delta),
      style: (cell, { latest_run }) => ((latest_run?.score_delta ?? 0) < 0 ? color.red(cell) : color.green(cell)),
      align: 'right',
      from: 70,
    },
    {
      title: 'Trend',
      value: ({ scores }) =>
        isTerminal
          ? sparkline(scores ?? [], { isAscii: wantsAscii(env) })
          : (scores ?? []).map((score) => score ?? '').join(' '),
      from: 90,
    },
    {
      title: 'Scanned',
      value: ({ last_scan }) => (last_scan === null ? 'never' : isTerminal ? ago(last_scan, now) : last_scan),
      style: (cell, { overdue, last_scan }) => (overdue || last_scan === null ? color.red(cell) : cell),
    },
    { title: 'New', value: ({ changes }) => text(changes?.new_findings), align: 'right', from: 76 },
    { title: 'Regressed', value: ({ changes }) => text(changes?.regressed_findings), align: 'right', from: 110 },
    { title: 'Behind', value: behind, align: 'right', from: 76 },
    {
      title: 'Attention',
      value: (cluster) => {
        if (!cluster.attention) return 'unknown'
        return isTerminal ? reasonsOf(cluster, now).join(', ') : cluster.attention.join(' ')
      },
      style: (cell, { attention }) => (attention?.some(isUrgent) ? color.red(cell) : color.yellow(cell)),
      min: 14,
    },
  ]
}

/** Unknown where no run lists what runs. */
function behind({ freshness }: ReceivedCluster): string | null {
  if (!freshness || freshness.artifacts === 0) return null
  return String(freshness.minor_behind + freshness.major_behind)
}

const text = (value: number | null | undefined): string | null => (value == null ? null : String(value))
const signed = (value: number | null | undefined): string | null =>
  value == null ? null : value > 0 ? `+${value}` : String(value)

const isUrgent = (reason: string): boolean => ['gate_failed', 'new_critical', 'overdue', 'no_scan'].includes(reason)

const sum = (...counts: (number | undefined)[]): number => counts.reduce<number>((all, each) => all + (each ?? 0), 0)

type Describe = (cluster: ReceivedCluster, now: number) => string

/** In words with their numbers. */
const reasons: Record<string, Describe> = {
  gate_failed: () => 'gate failed',
  new_critical: ({ changes }) => `${sum(changes?.new_critical, changes?.regressed_critical)} new critical`,
  overdue: overdueText,
  no_scan: () => 'never scanned',
  stale_scan: () => 'scan is old',
  affected_critical: ({ freshness }) => `${freshness?.affected_critical} with a critical advisory`,
  new_high: ({ changes }) => `${sum(changes?.new_high, changes?.regressed_high)} new high`,
  support_ended: ({ freshness }) => `${freshness?.ended} out of support`,
  gate_undecided: () => 'gate undecided',
  checks_not_run: ({ latest_run }) => `${count(latest_run?.not_run_checks ?? 0, 'check')} not run`,
  score_fell: ({ latest_run }) => `score ${signed(latest_run?.score_delta)}`,
  new_findings: ({ changes }) => `${sum(changes?.new_findings, changes?.regressed_findings)} new`,
  affected_high: ({ freshness }) => `${freshness?.affected_high} with a high advisory`,
  support_ending: ({ freshness }) => `${freshness?.ending} near the end of support`,
  major_behind: ({ freshness }) => `${freshness?.major_behind} outdated by a major version`,
}

/** `no report for 26h, expected every 24h`. */
function overdueText({ expected_reports, expected_every, last_scan }: ReceivedCluster, now: number): string {
  const every = expected_reports?.every ?? expected_every
  const silent = last_scan === null ? 'no report' : `no report for ${span(now - (parseTimestamp(last_scan) ?? now))}`
  return every === null ? silent : `${silent}, expected every ${span(every)}`
}

export function reasonsOf(cluster: ReceivedCluster, now: number): string[] {
  return (cluster.attention ?? []).map((reason) => reasons[reason]?.(cluster, now) ?? reason.replaceAll('_', ' '))
}
