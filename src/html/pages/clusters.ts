import type { clusterOrders } from '../../contract/choices.ts'
import type { FleetCluster, FleetSummary } from '../../contract/cluster.ts'
import { drawVerdict } from '../../render/html/draw.ts'
import { clean, html, type Markup, name, time, unbroken } from '../../render/html/markup.ts'
import { staleText } from '../../reports/stale-catalog.ts'
import { count, number } from '../../util/words.ts'
import { reasonsOf } from '../../views/attention.ts'
import { attentionTone, fleetVerdict } from '../../views/fleet.ts'
import { judgedLatest } from '../../views/gate.ts'
import { type ScannerRow, scannerRows } from '../../views/scanners.ts'
import { sparkline } from '../chart.ts'
import { filterForm } from './form.ts'
import { pageOf, rowsOfPage, showTable } from './page-table.ts'
import type { PageColumn, View, WebPage } from './view.ts'
import { change, gateWord, scoreFigure, section, timeOr, unknown } from './words.ts'

export const clustersPage: WebPage = {
  path: '/',
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
    const stale = staleText(oldestFacts(found.items), view.now)
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
${stale && html`<p class="warn">${stale}</p>`}
${unknowns(summary, sources)}
${neverReported(view, summary)}`,
    }
  },
}

/** Of the clusters that the page lists. */
const oldestFacts = (clusters: FleetCluster[]): string | undefined =>
  clusters.flatMap(({ freshness }) => freshness?.catalog_date ?? []).sort()[0]

interface Sources {
  total: number
  failing: number
  items: { name: string; kind: string; answered_at: string | null }[]
}

function unknowns({ pending }: FleetSummary, { failing, total, items }: Sources): Markup {
  return html`${pending > 0 && html`<p class="warn">The figures of ${count(pending, 'cluster')} are missing or rest on an older catalog. They are being made. Reload in a moment.</p>`}
${
  failing > 0 &&
  html`<details><summary class="warn">${number(failing)} of ${count(total, 'source')} of the catalog do not answer: newer releases may be unknown.</summary>
<ul class="plain">${items.map((source) => html`<li>${name(source.name)} (${clean(source.kind)}), last answer ${timeOr(source.answered_at)}</li>`)}</ul></details>`
}`
}

function columnsOf(view: View): PageColumn<ScannerRow<FleetCluster>>[] {
  return [
    {
      title: 'Cluster',
      value: (cluster) =>
        html`${view.link(`/clusters/${cluster.cluster_id}`, name(cluster.cluster_name))}${cluster.labels.length > 0 && html` <span class="soft">${clean(cluster.labels.join(', '))}</span>`}`,
      text: (cluster) => cluster.cluster_name,
    },
    { title: 'Environment', value: ({ environment }) => name(environment) },
    {
      title: 'Scanner',
      value: ({ latest_run }) => unbroken(latest_run?.format ?? 'none'),
      text: ({ latest_run }) => latest_run?.format,
    },
    {
      title: 'Attention',
      value: (cluster) => attentionOf(cluster, view.now),
      text: (cluster) => reasonsOf(cluster, view.now).join('; '),
    },
    {
      title: 'Score',
      value: ({ latest_run }) => scoreFigure(latest_run),
      text: ({ latest_run }) => latest_run?.score,
      align: 'right',
    },
    {
      title: 'Change',
      value: ({ latest_run }) => change(latest_run?.score_delta, latest_run?.score_comparable),
      text: ({ latest_run }) => latest_run?.score_delta,
      align: 'right',
    },
    {
      title: 'Trend',
      value: ({ scores }) => sparkline(scores),
      text: ({ scores }) => scores.map((score) => score ?? '').join(' '),
    },
    {
      title: 'Scanned',
      value: ({ last_scan, overdue }) =>
        html`<span class="${overdue || last_scan === null ? 'bad' : ''}">${timeOr(last_scan)}${overdue === true && ', overdue'}</span>`,
      text: ({ last_scan }) => last_scan,
    },
    {
      title: 'Gate',
      value: (row) => gateWord(row.gate, judgedLatest(row, view.now), view.now),
      text: ({ gate }) => gate?.verdict,
    },
    {
      title: 'New or regressed',
      value: ({ changes }) => (changes ? number(changes.new_findings + changes.regressed_findings) : 'n/a'),
      text: ({ changes }) => changes && changes.new_findings + changes.regressed_findings,
      align: 'right',
    },
    {
      title: 'Behind',
      value: behindOf,
      text: ({ freshness }) =>
        freshness && freshness.artifacts > 0 ? freshness.minor_behind + freshness.major_behind : null,
      align: 'right',
    },
    { title: 'Out of support', value: supportOf, text: ({ freshness }) => freshness?.ended },
  ]
}

function attentionOf(cluster: FleetCluster, now: number): Markup {
  const reasons = reasonsOf(cluster, now)
  if (reasons.length === 0) return cluster.has_figures ? html`none known` : html`not known yet`
  return html`<span class="${attentionTone(cluster, now)}">${reasons.join(', ')}</span>`
}

/** Kubernetes can be behind, too. */
function behindOf({ freshness, kubernetes_version }: FleetCluster): string {
  if (!freshness || freshness.artifacts === 0) return 'n/a'
  const all = freshness.artifacts + (kubernetes_version === null ? 0 : 1)
  return `${number(freshness.minor_behind + freshness.major_behind)} of ${number(all)}`
}

function supportOf({ freshness }: FleetCluster): Markup | string {
  const { artifacts = 0, ended = 0, ending = 0 } = freshness ?? {}
  if (ended + ending === 0) return artifacts === 0 ? 'n/a' : 'none known'
  return html`${ended > 0 && html`<span class="bad">${number(ended)} ended</span>`}${ended > 0 && ending > 0 && ', '}${ending > 0 && html`<span class="warn">${number(ending)} soon</span>`}`
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
        empty: unknown('No agent promises reports.'),
      }),
    )
  )
}
