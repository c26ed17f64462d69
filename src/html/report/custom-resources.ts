import type { ReceivedFreshness } from '../../contract/received/cluster-report.ts'
import { drawColumns, drawNote } from '../../render/html/draw.ts'
import { html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { number } from '../../util/words.ts'
import { customResourceNotes, definitionColumns, sortCustomResources } from '../../views/custom-resources.ts'

const most = 500

/** Custom resources, those that need somebody first; false where the inventory says nothing about them. */
export function renderCustomResources(found: Pick<ReceivedFreshness, 'custom_resources' | 'unread'>): Markup | false {
  const rows = sortCustomResources(found.custom_resources ?? [])
  const notes = customResourceNotes(found)
  if (rows.length === 0 && notes.length === 0) return false
  return html`<h3>Custom resources</h3>
${notes.map((note) => drawNote(note))}
${rows.length > 0 && table(drawColumns(definitionColumns), rows.slice(0, most), { caption: 'Definitions, beside the controllers that run' })}
${rows.length > most && html`<p class="note">${number(rows.length - most)} more are left out.</p>`}`
}
