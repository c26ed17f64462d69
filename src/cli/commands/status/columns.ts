import type { Env } from '../../../config/env.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { clusterColumns as toColumns } from '../../../views/cluster.ts'
import type { ScannerRow } from '../../../views/scanners.ts'
import type { ViewColumn } from '../../../views/view.ts'
import type { Io } from '../../output/io.ts'
import { sparkline, wantsAscii } from '../../output/sparkline.ts'

type Row = ScannerRow<ReceivedCluster>

const shown = ['environment', 'scanner', 'score', 'change'] as const
const figures = ['scanned', 'new', 'regressed', 'behind', 'attention'] as const

/** For all formats; a terminal shows columns that fit. If a cluster has several scanners, each has a row. */
export function clusterColumns(io: Io, { now, env, rows }: { now: number; env: Env; rows: Row[] }): Column<Row>[] {
  const views = toColumns(now)
  const draw = (columns: ViewColumn<Row>[]): Column<Row>[] =>
    io.isTerminal
      ? drawColumns(io, columns, now)
      : dataColumns(columns).map((column) => ({ ...column, value: (row) => column.value(row) || null }))
  const trend: Column<Row> = {
    ...draw([views.trend])[0]!,
    ...(io.isTerminal && { value: ({ scores }) => sparkline(scores ?? [], { isAscii: wantsAscii(env) }) }),
  }
  const hidden = hiddenColumns(rows)
  const drawKeys = (keys: readonly (keyof typeof views)[]): Column<Row>[] =>
    keys.flatMap((key) =>
      draw([views[key]]).map((column) => (hidden.includes(key) ? { ...column, only: 'data' } : column)),
    )
  return [...drawKeys(['cluster', ...shown]), trend, ...drawKeys(figures)]
}

/** Columns for programs only. */
function hiddenColumns(rows: Row[]) {
  const hasSeveral = rows.some((row) => row.scanner !== undefined)
  return [...(hasSeveral ? [] : ['scanner']), 'attention']
}
