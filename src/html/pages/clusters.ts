import type { clusterOrders } from '../../contract/choices.ts'
import type { FleetCluster, FleetSummary, ServiceStatus } from '../../contract/cluster.ts'
import { drawColumns, drawNote, drawSaid, drawVerdict } from '../../render/html/draw.ts'
import { clean, html, type Markup, name, time } from '../../render/html/markup.ts'
import { clusterColumns, clusterNotes, sourcesNote } from '../../views/cluster.ts'
import { fleetVerdict } from '../../views/fleet.ts'
import { toned } from '../../views/said.ts'
import { type ScannerRow, scannerRows } from '../../views/scanners.ts'
import { sparkline } from '../chart.ts'
import { filterForm } from './form.ts'
import { inkOf } from './ink.ts'
import { pageOf, rowsOfPage, showTable } from './page-table.ts'
import type { PageColumn, View, WebPage } from './view.ts'
import { section, timeOr } from './words.ts'

export const clustersPage: WebPage = {
  path: '/',
  heavy: true,
  nav: 'Clusters',
  for: 'pro',
  filters: ['cluster_name', 'environment', 'label', 'sort'],
  async show({ query, view, call }) {
    const { cluster_name, environment, label } = query
    // The service checks the word of the address.
    const sort = (query.sort || 'urgency') as (typeof clusterOrders)[number]
    const choice = {
      sort,
      ...(cluster_name && { cluster_name }),
      ...(environment && { environment }),
      ...(label && { label }),
    }
    const list = (page: number, per_page: number) => call('listClusters', { query: { ...choice, page, per_page } })
    const [found, { sources }] = await Promise.all([list(pageOf(view), rowsOfPage), call('getStatus', {})])
    const { summary } = found
    const isFiltered = cluster_name !== undefined || environment !== undefined || label !== undefined
    return {
      title: 'Clusters',
      body: html`<h1>Clusters</h1>
${drawVerdict(fleetVerdict(found, view.now))}
${isFiltered && html`<p>${view.link('/', 'All clusters')}</p>`}
${filterForm(view, [
  { name: 'cluster_name', label: 'Name', type: 'search', isRare: true },
  { name: 'environment', label: 'Environment', type: 'search', isRare: true },
  { name: 'label', label: 'Label', type: 'search', isRare: true },
  {
    name: 'sort',
    label: 'Sort by',
    isRare: true,
    choices: [
      ['urgency', 'urgency'],
      ['name', 'name'],
      ['score', 'score'],
      ['last_scan', 'last scan'],
    ],
  },
])}
${showTable(view, {
  id: 'clusters',
  caption: 'Clusters, by their latest run',
  columns: columnsOf(view),
  rows: scannerRows(found.items),
  json: found,
  empty: view.viewer.isPro
    ? html`No cluster here. Upload a report: <code class="command">relt reports upload report.json</code>`
    : html`Your plan has no clusters and reports. ${view.link('/releases', 'Releases of your projects')}`,
  paging: { ...found, list: async (page, perPage) => scannerRows((await list(page, perPage)).items) },
})}
${clusterNotes(found.items, summary, view.now).map((note) => drawNote(note))}
${failingSources(sources)}
${neverReported(view, summary)}`,
    }
  },
}

/** Those of the catalog that do not answer. */
function failingSources(sources: ServiceStatus['sources']): Markup | false {
  const note = sourcesNote(sources)
  return (
    note !== undefined &&
    html`<details><summary>${drawSaid(toned(note.tone, note.said))}</summary>
<ul class="plain">${sources.items.map((source) => html`<li>${name(source.name)} (${clean(source.kind)}), last answer ${timeOr(source.answered_at)}</li>`)}</ul></details>`
  )
}

const shown = [
  ...(['cluster', 'environment', 'scanner', 'attention', 'score', 'change', 'trend', 'scanned', 'gate'] as const),
  ...(['changes', 'behind', 'support'] as const),
]

function columnsOf(view: View): PageColumn<ScannerRow<FleetCluster>>[] {
  const columns = clusterColumns(view.now)
  const drawn: PageColumn<ScannerRow<FleetCluster>>[] = drawColumns(
    shown.map((key) => columns[key]),
    inkOf(view),
  )
  return drawn.map((column) =>
    column.title === columns.trend.title ? { ...column, value: ({ scores }) => sparkline(scores) } : column,
  )
}

function neverReported(view: View, { never_reported = [] }: FleetSummary): Markup | false {
  return (
    never_reported.length > 0 &&
    section(
      'never',
      'Never reported',
      showTable(view, {
        id: 'never',
        caption: 'Agents promise reports of these clusters; none has come',
        columns: [
          { title: 'Cluster', value: ({ cluster_name }) => name(cluster_name) },
          { title: 'Environment', value: ({ environment }) => name(environment) },
          {
            title: 'Expected since',
            value: ({ expected_since }) => time(expected_since),
            text: ({ expected_since }) => expected_since,
          },
        ],
        rows: never_reported,
        json: never_reported,
        empty: 'No agent promises reports.',
      }),
    )
  )
}
