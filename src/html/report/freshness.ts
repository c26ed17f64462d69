import type { ReceivedFreshness, ReceivedFreshnessItem } from '../../contract/received/cluster-report.ts'
import { drawColumns, drawNote, drawSaid } from '../../render/html/draw.ts'
import { breakable, clean, html, type Markup } from '../../render/html/markup.ts'
import { table } from '../../render/html/table.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { listed, number } from '../../util/words.ts'
import { advisoryEdge } from '../../views/advisory-edge.ts'
import { customResourceNotes, definitionColumns, sortCustomResources } from '../../views/custom-resources.ts'
import { nothingRuns, sortFreshness } from '../../views/freshness.ts'
import { freshnessColumns, typedName } from '../../views/freshness-columns.ts'
import { type NodeAnswer, nodeColumns, nodeNotes } from '../../views/nodes.ts'
import { unknownMark } from '../../views/said.ts'
import { supportSaid } from '../../views/support.ts'
import { supportEnds } from '../../views/support-ends.ts'
import { titles } from '../../views/titles.ts'
import { comparableCharts, wantedColumns } from '../../views/wanted.ts'
import type { RunReport } from './report.ts'
import { missingText } from './words.ts'

/** Outdated or affected artifacts with their next step, unknown ones with the reason, then up-to-date ones. */
export function renderFreshness({ freshness, madeAt }: RunReport): Markup {
  if (!freshness.found) return missingText(freshness.missing)
  const { items, coverage } = freshness.found
  if (items.length === 0) return missingText(nothingRuns)
  const { open, unknown, current, said } = sortFreshness(items)
  const columns = freshnessColumns({ now: madeAt, hasSecurityFacts: (coverage?.security_known ?? 0) > 0 })
  const { artifact, runs, status, step, newest, fixes, advisories, behind, reason } = columns
  const [first, ...others] = drawColumns([artifact, runs, status, step, newest, fixes, advisories, behind])
  const placed = { ...first!, value: (item: ReceivedFreshnessItem) => html`${first!.value(item)}${whereText(item)}` }
  return html`<p>${said.map((sentence) => html`${drawSaid(sentence)} `)}</p>
<p class="note">${advisoryEdge(coverage)}</p>
${open.length > 0 && table([placed, ...others], open, { caption: 'Behind, affected by an advisory, or out of support' })}
${
  unknown.length > 0 &&
  html`<h3>Unknown (${number(unknown.length)})</h3>
${table(drawColumns([artifact, runs, reason]), unknown, { caption: 'Not measured: these may be outdated' })}`
}
${
  current.length > 0 &&
  html`<h3>Current (${number(current.length)})</h3>
<ul class="names">${current.slice(0, 500).map((item) => html`<li>${breakable(clean(typedName(item), 250))} ${clean(item.current_version, 100)}</li>`)}</ul>${current.length > 500 && html`<p class="note">${number(current.length - 500)} more are left out.</p>`}`
}
${renderWanted(freshness.found)}
${renderCustomResources(freshness.found)}`
}

const mostPlaces = 2

function whereText({ workloads, namespace }: ReceivedFreshnessItem): Markup | false {
  const places = workloads?.length ? workloads : namespace ? [namespace] : []
  const shown = places.map((place) => clean(place, 120))
  return places.length > 0 && html`<br><span class="soft">in ${breakable(listed(shown, mostPlaces))}</span>`
}

/** Wanted charts next to running ones, drifted ones first; false if the inventory has none. */
function renderWanted({ wanted: all }: Pick<ReceivedFreshness, 'wanted'>): Markup | false {
  const rows = comparableCharts(all)
  if (rows.length === 0) return false
  const { by, chart, wanted, runs, state, step, newest } = wantedColumns
  return html`<h3>What git wants</h3>
${table(drawColumns([by, chart, wanted, runs, state, step, newest]), rows, { caption: 'Charts that are wanted, beside what runs' })}`
}

/** Custom resources, most urgent first; false if the inventory lacks them. */
function renderCustomResources(found: Pick<ReceivedFreshness, 'custom_resources' | 'unread'>): Markup | false {
  const rows = sortCustomResources(found.custom_resources ?? [])
  const notes = customResourceNotes(found)
  if (rows.length === 0 && notes.length === 0) return false
  return html`<h3>Custom resources</h3>
${notes.map((note) => drawNote(note))}
${rows.length > 0 && table(drawColumns(definitionColumns), rows, { caption: 'Definitions, beside the controllers that run' })}`
}

/** Release cycles whose support has ended or ends soon, and components of the nodes. */
export function renderSupport(report: RunReport): Markup {
  const { freshness, madeAt } = report
  if (!freshness.found) return missingText(freshness.missing)
  return html`${renderEnds(report)}${renderNodes(freshness.found, madeAt)}`
}

/** Components of the nodes; empty if the inventory has no nodes and gives no reason. */
function renderNodes(answer: NodeAnswer, now: UnixSeconds): Markup | false {
  const { nodes = [] } = answer
  const notes = nodeNotes(answer, now)
  if (nodes.length === 0 && notes.length === 0) return false
  const { part, runs, nodes: count, support, skew } = nodeColumns(now)
  return html`<h3>Nodes</h3>
${notes.map((note) => drawNote(note))}
${nodes.length > 0 && table(drawColumns([part, runs, count, support, skew]), nodes, { caption: 'What the nodes run' })}`
}

function renderEnds({ freshness, madeAt }: RunReport): Markup {
  if (!freshness.found) return missingText(freshness.missing)
  const { rows, said, isKnown } = supportEnds(freshness.found.items, madeAt)
  if (rows.length === 0) return html`<p>${!isKnown && html`${drawSaid(unknownMark)} `}${drawSaid(said)}</p>`
  return html`<p class="note">${drawSaid(said)}</p>
${table(
  [
    { title: titles.artifact, value: ({ item }) => breakable(clean(typedName(item), 250)) },
    { title: titles.runs, value: ({ item }) => clean(item.current_version, 100) || null },
    { title: 'Cycle', value: ({ eol }) => `${clean(eol.cycle, 50)}${eol.is_lts ? ' (LTS)' : ''}` },
    { title: titles.support, value: ({ eol }) => drawSaid(supportSaid(eol, madeAt)) },
  ],
  rows,
  { caption: 'Ends of support' },
)}`
}
