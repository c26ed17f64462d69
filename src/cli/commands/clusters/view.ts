import type { Env } from '../../../config/env.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { isUrgentReason, reasonsOf } from '../../../reports/attention-text.ts'
import { ago } from '../../../util/ago.ts'
import type { Io } from '../../output/io.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'

/** For people and programs alike; a terminal shows what fits. */
export function clusterColumns(io: Io, now: number, env: Env): Column<ReceivedCluster>[] {
  const { color, isTerminal } = io
  return [
    {
      title: 'Cluster',
      value: ({ cluster_name }) => cluster_name,
      style: (cell) => color.bold(cell),
      min: 12,
    },
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
    { title: 'New', value: ({ changes }) => text(changes?.new_findings), align: 'right', from: 110 },
    { title: 'Regressed', value: ({ changes }) => text(changes?.regressed_findings), align: 'right', from: 120 },
    { title: 'Behind', value: behind, align: 'right', from: 100 },
    {
      title: 'Attention',
      value: (cluster) => {
        if (!cluster.attention) return 'unknown'
        return isTerminal ? reasonsOf(cluster, now).join(', ') : cluster.attention.join(' ')
      },
      style: (cell, { attention }) => (attention?.some(isUrgentReason) ? color.red(cell) : color.yellow(cell)),
      min: 24,
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
