import type { FleetCluster, FleetSummary, ServiceStatus } from '../../contract/cluster.ts'
import { drawColumns, drawNote, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, html, name } from '../../render/html/markup.ts'
import { clusterColumns, clusterNotes } from '../../views/cluster.ts'
import { fleetVerdict, statusColumns } from '../../views/fleet.ts'
import { stepsToTake, supportTile, urgentTiles } from '../../views/fleet-tiles.ts'
import { groupImpact } from '../../views/impact-projects.ts'
import { toned } from '../../views/said.ts'
import { sourcesNote } from '../../views/sources.ts'
import { titles } from '../../views/titles.ts'
import { sparkline } from '../chart.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { listPage, nameColumn, showTable, timeColumn } from './page-table.ts'
import type { Call, PageColumn, View, WebPage } from './view.ts'
import { figureCard, section, timeOrNever, toPart } from './words.ts'

const rowsOfPage = 20

/** Limit for comparing running artifacts; with more clusters, only the impact page does. */
const mostCompared = 100

export const clustersPage: WebPage = {
  path: '/',
  heavy: true,
  nav: 'Clusters',
  for: 'pro',
  filters: ['cluster_name', 'environment', 'label', 'sort'],
  async show({ query, view, call }) {
    const { cluster_name, environment, label } = query
    // The service validates the word in the URL.
    const asked = { sort: (query.sort || 'urgency') as never, cluster_name, environment, label, learn: true }
    const [{ found, listed }, { sources }] = await Promise.all([
      listPage(view, (paging) => call('listClusters', { query: { ...asked, ...paging } }), rowsOfPage),
      call('getStatus', {}),
    ])
    const { summary } = found
    const isWhole = view.viewer.isPro && summary.clusters > 0
    const isFiltered = cluster_name !== undefined || environment !== undefined || label !== undefined
    return {
      title: titles.clusters,
      body: html`<h1>Clusters</h1>
<div class="overview">
${drawVerdict(fleetVerdict(found, view.now))}
${isWhole && html`<ul class="cards">${urgentTiles(found).map((tile) => figureCard(tile))}</ul>`}
<div class="later">${isWhole && html`<ul class="cards">${figureCard(supportTile(found, view.now))}${await stepsCard(view, call, summary)}</ul>`}
${filterForm(view, [
  { name: 'cluster_name', label: 'Name', type: 'search', isRare: true },
  { name: 'environment', label: 'Environment', type: 'search', isRare: true },
  { name: 'label', label: 'Label', type: 'search', isRare: true },
  { name: 'sort', label: 'Sort by', isRare: true, choices: ['urgency', 'name', 'score', ['last_scan', 'last scan']] },
])}</div>
<div>
${isFiltered && html`<p>${view.link('/', 'All clusters')}</p>`}
${showTable(view, {
  id: 'clusters',
  caption: 'Clusters, by their latest run',
  columns: toColumns(view),
  ...listed,
  empty: emptyText(view),
})}
</div>
</div>
${clusterNotes(found.items, summary, view.now).map((note) => drawNote(note))}
${failingSources(sources)}
${neverReported(view, summary)}`,
    }
  },
}

const emptyText = (view: View) =>
  view.viewer.isPro
    ? html`No cluster here. Upload a report: <code class="command">relt reports upload report.json</code>`
    : html`Your plan has no clusters and reports. ${view.link('/subscriptions', 'Projects that you follow')}`

/** Catalog sources that do not answer. */
function failingSources(sources: ServiceStatus['sources']) {
  const note = sourcesNote(sources)
  return (
    note !== undefined &&
    html`<details><summary>${drawSaid(toned(note.tone, note.said))}</summary>
<ul class="plain">${sources.items.map((source) => html`<li>${name(source.name)} (${clean(source.kind)}), last answer ${timeOrNever(source.answered_at)}</li>`)}</ul></details>`
  )
}

/** The most useful upgrades, or a link to them. */
async function stepsCard(view: View, call: Call, { clusters }: FleetSummary) {
  const all = view.link('/impact', 'All upgrades')
  const { found } =
    clusters > mostCompared ? {} : await toPart(() => call('getImpact', { query: { page: 1, per_page: 1000 } }))
  const steps = found ? stepsToTake(groupImpact(found.items)) : []
  const ink = inkFor(view)
  return html`<li class="long"><span class="label">Upgrade first</span>${
    steps.length > 0 ? html`<ol>${steps.map((step) => html`<li>${drawSaid(step, ink)}</li>`)}</ol>` : ''
  }<span class="more">${all}</span></li>
`
}

function toColumns(view: View) {
  const { trend } = clusterColumns(view.now)
  const columns: PageColumn<FleetCluster>[] = drawColumns(statusColumns(view.now), inkFor(view))
  return columns.toSpliced(3, 0, { title: trend.title, value: ({ scores }) => sparkline(scores), text: trend.text })
}

function neverReported(view: View, { never_reported = [] }: FleetSummary) {
  return (
    never_reported.length > 0 &&
    section(
      'never',
      'Never reported',
      showTable(view, {
        id: 'never',
        caption: 'Agents promise reports of these clusters; none has come',
        columns: [
          nameColumn(titles.cluster, 'cluster_name'),
          nameColumn(titles.environment, 'environment'),
          timeColumn('Expected since', 'expected_since'),
        ],
        rows: never_reported,
        json: never_reported,
        empty: 'No agent promises reports.',
      }),
    )
  )
}
