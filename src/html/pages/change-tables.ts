import type { Comparison } from '../../contract/cluster-report.ts'
import { drawColumns } from '../../render/html/draw.ts'
import { html } from '../../render/html/markup.ts'
import { number } from '../../util/words.ts'
import type { ComparisonView } from '../../views/comparison.ts'
import { findingTables } from '../../views/finding-tables.ts'
import { inkFor } from './ink.ts'
import { showTable } from './page-table.ts'
import type { View } from './view.ts'

/** One table for each kind of change, with a limited number of rows; its downloads have all. */
export function changeTables(view: View, { changes }: ComparisonView, { from, to }: Comparison, most: number) {
  return html`${changes.map(({ kind, key, heading, title, rows }) => {
    const { run_id } = kind === 'resolved' ? from : to
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
  })}`
}
