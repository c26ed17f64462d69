import { drawColumns, drawNote } from '../../render/html/draw.ts'
import { html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { type NodeAnswer, nodeColumns, nodeNotes } from '../../views/nodes.ts'

/** What the nodes run; nothing for an inventory that neither has nodes nor says why. */
export function renderNodes(answer: NodeAnswer, now: UnixSeconds): Markup | false {
  const { nodes = [] } = answer
  const notes = nodeNotes(answer, now)
  if (nodes.length === 0 && notes.length === 0) return false
  const { part, runs, nodes: count, support, skew } = nodeColumns(now)
  return html`<h3>Nodes</h3>
${notes.map((note) => drawNote(note))}
${nodes.length > 0 && table(drawColumns([part, runs, count, support, skew]), nodes, { caption: 'What the nodes run' })}`
}
