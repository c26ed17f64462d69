import type { ReceivedFreshnessItem } from '../../contract/received/cluster-report.ts'
import { drawColumns, drawNote, drawSaid } from '../../render/html/draw.ts'
import { breakable, clean, html } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import { listed, number } from '../../util/words.ts'
import { advisoryEdge } from '../../views/advisory-edge.ts'
import { nothingRuns, sortFreshness } from '../../views/freshness.ts'
import { freshnessColumns, typedName } from '../../views/freshness-columns.ts'
import { type InventoryTable, inventoryTables } from '../../views/inventory.ts'
import { unknownMark } from '../../views/said.ts'
import { supportSaid } from '../../views/support.ts'
import { supportEnds } from '../../views/support-ends.ts'
import { titles } from '../../views/titles.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

/** Outdated or affected artifacts with their next step, unknown ones with the reason, then up-to-date ones. */
export function renderFreshness({ freshness, madeAt }: RunReport) {
  if (!freshness.found) return missingText(freshness.missing)
  const { items, coverage } = freshness.found
  if (items.length === 0) return missingText(nothingRuns)
  const { open, unknown, current, said } = sortFreshness(items)
  const columns = freshnessColumns({ now: madeAt, hasSecurityFacts: (coverage?.security_known ?? 0) > 0 })
  const { artifact, runs, status, step, newest, fixes, advisories, behind, reason } = columns
  const { wanted } = inventoryTables(freshness.found, madeAt)
  const [first, ...others] = drawColumns([artifact, runs, status, step, newest, fixes, advisories, behind])
  const placed = { ...first!, value: (item: ReceivedFreshnessItem) => html`${first!.value(item)}${whereText(item)}` }
  return html`<p>${said.map((sentence) => html`${drawSaid(sentence)} `)}</p>
<p class="note">${advisoryEdge(coverage)}</p>
${open.length > 0 && table([placed, ...others], open, { caption: 'Behind, affected by an advisory, or out of support' })}
${
  unknown.length > 0 &&
  html`<h3>Not known to be current (${number(unknown.length)})</h3>
${table(drawColumns([artifact, runs, reason]), unknown, { caption: 'These may be outdated' })}`
}
${
  current.length > 0 &&
  html`<h3>Current (${number(current.length)})</h3>
<ul class="names">${current.slice(0, 500).map((item) => html`<li>${breakable(clean(typedName(item), 250))} ${clean(item.current_version, 100)}</li>`)}</ul>${current.length > 500 && html`<p class="note">${number(current.length - 500)} more are left out.</p>`}`
}
${renderInventory(wanted)}`
}

const mostPlaces = 2

function whereText({ workloads, namespace }: ReceivedFreshnessItem) {
  const places = workloads?.length ? workloads : namespace ? [namespace] : []
  const shown = places.map((place) => clean(place, 120))
  return places.length > 0 && html`<br><span class="soft">in ${breakable(listed(shown, mostPlaces))}</span>`
}

/** A table beside that of the artifacts; false if the inventory has nothing of it, and gives no reason. */
function renderInventory<Row>({ heading, title: caption, notes, columns, rows }: InventoryTable<Row>) {
  if (rows.length === 0 && !notes?.length) return false
  return html`<h3>${heading}</h3>
${notes && html`${notes.map((note) => drawNote(note))}\n`}${rows.length > 0 && table(drawColumns(columns), rows, { caption })}`
}

/** Release cycles whose support has ended or ends soon, and components of the nodes. */
export function renderSupport({ freshness, madeAt }: RunReport) {
  if (!freshness.found) return missingText(freshness.missing)
  const { nodes } = inventoryTables(freshness.found, madeAt)
  const columns = nodes.columns.filter(({ key }) => key !== 'names')
  return html`${renderEnds(freshness.found.items, madeAt)}${renderInventory({ ...nodes, columns })}`
}

function renderEnds(items: ReceivedFreshnessItem[], now: number) {
  const { rows, said, isKnown } = supportEnds(items, now)
  if (rows.length === 0) return html`<p>${!isKnown && html`${drawSaid(unknownMark)} `}${drawSaid(said)}</p>`
  return html`<p class="note">${drawSaid(said)}</p>
${table(
  [
    { title: titles.artifact, value: ({ item }) => breakable(clean(typedName(item), 250)) },
    { title: titles.runs, value: ({ item }) => clean(item.current_version, 100) || null },
    { title: 'Cycle', value: ({ eol }) => `${clean(eol.cycle, 50)}${eol.is_lts ? ' (LTS)' : ''}` },
    { title: titles.support, value: ({ eol }) => drawSaid(supportSaid(eol, now)) },
  ],
  rows,
  { caption: 'Ends of support' },
)}`
}
