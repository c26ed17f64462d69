import type { ReceivedFreshness } from '../../contract/received/cluster-report.ts'
import { drawColumns } from '../../render/html/draw.ts'
import { html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { number } from '../../util/words.ts'
import { comparableCharts, wantedColumns } from '../../views/wanted.ts'

const most = 500

/** Charts that git wants beside those that run, drifted ones first; false if the inventory has none. */
export function renderWanted({ wanted: all }: Pick<ReceivedFreshness, 'wanted'>): Markup | false {
  const rows = comparableCharts(all)
  if (rows.length === 0) return false
  const { by, chart, wanted, runs, state, step, newest } = wantedColumns
  return html`<h3>What git wants</h3>
${table(drawColumns([by, chart, wanted, runs, state, step, newest]), rows.slice(0, most), { caption: 'Charts that are wanted, beside what runs' })}
${rows.length > most && html`<p class="note">${number(rows.length - most)} more are left out.</p>`}`
}
