import type { Env } from '../../../config/env.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { ago } from '../../../util/ago.ts'
import { changeText, changeTone, scanTone, unclearMark, unclearNote } from '../../../views/fleet.ts'
import type { ScannerRow } from '../../../views/scanners.ts'
import type { Io } from '../../output/io.ts'
import { note, type Remark } from '../../output/remarks.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'
import { gapRemarks, scoreColumns } from '../reports/score-columns.ts'

type Row = ScannerRow<ReceivedCluster>

/** For people and programs alike; a terminal shows what fits. Scanners of a cluster have rows of their own. */
export function clusterColumns(io: Io, { now, env, rows }: { now: number; env: Env; rows: Row[] }): Column<Row>[] {
  const { color, isTerminal } = io
  const hasSeveral = rows.some(({ scanner }) => scanner !== undefined)
  return [
    {
      title: 'Cluster',
      value: ({ cluster_name }) => cluster_name,
      style: (cell) => color.bold(cell),
      min: 12,
    },
    { title: 'Environment', value: ({ environment }) => environment, min: 4 },
    {
      title: 'Scanner',
      value: ({ latest_run }) => latest_run?.format ?? null,
      min: 5,
      ...(!hasSeveral && { only: 'data' as const }),
    },
    ...scoreColumns(io, rows, ({ latest_run }: Row) => latest_run),
    {
      title: 'Change',
      value: ({ latest_run }) =>
        isTerminal ? (changeText(latest_run)?.replace('\u2212', '-') ?? null) : signed(latest_run?.score_delta),
      style: (cell, { latest_run }) => paintChange(io, latest_run)(cell),
      align: 'right',
      from: 70,
    },
    {
      title: 'Change comparable',
      value: ({ latest_run }) => latest_run?.score_comparable?.toString() ?? null,
      only: 'data',
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
      style: (cell, cluster) => paint(io, scanTone(cluster))(cell),
    },
    { title: 'New', value: ({ changes }) => text(changes?.new_findings), align: 'right', from: 110 },
    { title: 'Regressed', value: ({ changes }) => text(changes?.regressed_findings), align: 'right', from: 120 },
    { title: 'Behind', value: behind, align: 'right', from: 100 },
    // Lists do not judge; `relt status` does.
    { title: 'Attention', value: ({ attention }) => attention?.join(' ') ?? 'unknown', only: 'data' },
  ]
}

/** Green only for progress. */
export const paintChange = (io: Io, run: ReceivedCluster['latest_run']): ((text: string) => string) =>
  paint(io, changeTone(run))

/** The meaning of the marks, where a row has them. */
export function clusterRemarks(io: Io, rows: Row[]): Remark[] {
  const runs = rows.map(({ latest_run }) => latest_run)
  const isMarked = io.isTerminal && runs.some((run) => changeText(run)?.endsWith(unclearMark))
  return [...gapRemarks(io, runs), ...(isMarked ? [note(unclearNote)] : [])]
}

/** Unknown where no run lists what runs. */
function behind({ freshness }: ReceivedCluster): string | null {
  if (!freshness || freshness.artifacts === 0) return null
  return String(freshness.minor_behind + freshness.major_behind)
}

const text = (value: number | null | undefined): string | null => (value == null ? null : String(value))
export const signed = (value: number | null | undefined): string | null =>
  value == null ? null : value > 0 ? `+${value}` : String(value)
