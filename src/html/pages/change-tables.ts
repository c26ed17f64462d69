import type { Comparison } from '../../contract/cluster-report.ts'
import { drawColumns } from '../../render/html/draw.ts'
import { html } from '../../render/html/markup.ts'
import { number } from '../../util/words.ts'
import type { ChangeTable, ComparisonView } from '../../views/comparison.ts'
import { findingTables } from '../../views/finding-tables.ts'
import { inkFor } from './ink.ts'
import { showTable } from './page-table.ts'
import type { View } from './view.ts'

/** One table for each kind of change, with a limited number of rows; its downloads have all. */
export function changeTables(view: View, { changes }: ComparisonView, { from, to }: Comparison, most: number) {
  return html`${changes.map((table) => changeTable(view, table, { run_id: (table.kind === 'resolved' ? from : to).run_id, most }))}`
}

function changeTable(
  view: View,
  { key, heading, title, rows }: ChangeTable,
  { run_id, most }: { run_id: string; most: number },
) {
  return html`<h3>${heading} (${number(rows.length)})</h3>
${showTable(view, {
  id: key,
  caption: title,
  columns: drawColumns(findingTables.pageOfChanges, inkFor(view, { run_id })),
  rows,
  json: rows,
  empty: '',
  most,
})}`
}
