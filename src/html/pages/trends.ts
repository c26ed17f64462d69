import type { CheckTrend, ClusterTrend } from '../../contract/cluster-report.ts'
import { drawColumns } from '../../render/html/draw.ts'
import { clean, html } from '../../render/html/markup.ts'
import { count } from '../../util/words.ts'
import { titles } from '../../views/titles.ts'
import { pointColumns } from '../../views/trend-points.ts'
import { numberOrNone } from '../../views/view.ts'
import { renderFleetTrends } from '../report/fleet-trends.ts'
import { chooseCluster } from './choose-cluster.ts'
import { filterForm } from './form.ts'
import { inkFor } from './ink.ts'
import { showTable } from './page-table.ts'
import { plots } from './trend-plots.ts'
import type { Call, View, WebPage } from './view.ts'
import { clusterText, section } from './words.ts'

const mostPoints = 100
const mostChecks = 20

export const trendsPage: WebPage = {
  path: '/trends',
  heavy: true,
  filters: ['cluster_name', 'environment', 'window_days', 'clusters'],
  async show({ query, view, call }) {
    const { cluster_name, environment, window_days = '30' } = query
    if (query.clusters) return fleetTrends(view, call, { wanted: query.clusters, window_days })
    const choice = await chooseCluster({ query, view, call }, { path: '/trends', title: 'Trends' })
    if (choice) return choice
    const found = await call('reportTrends', { query: { cluster_name, environment, window_days, checks: true } })
    const trends = 'clusters' in found ? found.clusters : [found, ...(found.other_scanners ?? [])]
    const [trend] = trends
    const runs = trends.reduce((sum, { points }) => sum + points.length, 0)
    const named = trend?.cluster_name ? trend : undefined
    const others = 'clusters' in found ? [] : (found.other_environments ?? [])
    return {
      title: named ? `Trends of ${clean(named.cluster_name, 100)}` : 'Trends',
      body: html`<h1>Trends${named && html` of ${clean(clusterText(named))}`}</h1>
<p>${view.link('/trends', 'Trends of all clusters', { clusters: allClusters, window_days })}</p>
<p>${count(runs, 'run')} of the last ${count(found.window_days, 'day')}.${others.length > 0 && html` Other environments: ${others.map((each) => html`${view.link('/trends', clean(each, 100), { cluster_name, environment: each, window_days })} `)}`}</p>
${filterForm(view, [
  { name: 'cluster_name', label: 'Cluster', type: 'search', hint: 'the only one' },
  { name: 'environment', label: 'Environment', type: 'search' },
  { name: 'window_days', label: 'Days', choices: ['30', '7', '90', '180', '365'] },
])}
${trends.map((each, i) => toTrend(view, each, { json: found, id: i === 0 ? '' : `-${each.format}`, isOne: trends.length === 1 }))}`,
    }
  },
}

const allClusters = 'all'

/** All clusters, or the named ones, side by side. */
async function fleetTrends(view: View, call: Call, { wanted, window_days }: { wanted: string; window_days: string }) {
  const found = await call('reportTrends', { query: { group_by_cluster: true, window_days } })
  const names = wanted === allClusters ? undefined : new Set(wanted.split(',').map((each) => each.trim()))
  const all = 'clusters' in found ? found.clusters : [found]
  const chosen = all.filter(({ cluster_name }) => names?.has(cluster_name) ?? true)
  return {
    title: 'Trends of clusters',
    body: html`<h1>Trends of ${count(new Set(chosen.map(clusterText)).size, 'cluster')}</h1>
<p>${view.link('/trends', 'Trends of one cluster')}</p>
${filterForm(view, [
  { name: 'clusters', label: 'Clusters, with commas', type: 'search', hint: allClusters },
  { name: 'window_days', label: 'Days', choices: ['30', '7', '90', '180', '365'] },
])}
${chosen.length === 0 ? html`<p>None of these clusters has a run in this time.</p>` : section('trends', `Last ${count(found.window_days, 'day')}`, renderFleetTrends(chosen, found.window_days))}`,
  }
}

interface Shown {
  json: unknown
  /** Suffix for the ids of its parts. */
  id: string
  /** The cluster has one scanner. */
  isOne: boolean
}

/** Each scanner has its own trend. */
function toTrend(view: View, trend: ClusterTrend, { json, id, isOne }: Shown) {
  const of = isOne ? '' : ` of ${trend.format}`
  return html`${!isOne && html`<h2>${trend.format}</h2>`}
${plots(trend.points)}
${section(
  `runs${id}`,
  `Runs${of}`,
  showTable(view, {
    id: `runs${id}`,
    caption: 'Runs, the newest first',
    columns: [
      ...drawColumns(Object.values(pointColumns), inkFor(view)),
      {
        title: titles.changes,
        value: ({ run_id }) => view.link('/compare', 'Compare', { to_run_id: run_id }),
        text: () => '',
      },
    ],
    rows: trend.points.toReversed(),
    json,
    empty: 'No run in this time.',
    most: mostPoints,
  }),
)}
${section(`checks${id}`, `Checks${of} whose findings changed`, checkTable(view, trend, id))}`
}

function checkTable(view: View, { checks = [], cluster_name, environment }: ClusterTrend, id: string) {
  const ends = (findings: CheckTrend['findings']) => {
    const known = findings.filter((each) => each !== null)
    return { first: known[0], last: known.at(-1), least: Math.min(...known), most: Math.max(...known) }
  }
  return showTable(view, {
    id: `checks${id}`,
    caption: 'Findings of each check, the widest range first',
    columns: [
      {
        title: titles.check,
        value: ({ check_id, check_name }) =>
          view.link('/findings', `${clean(check_id, 100)} ${clean(check_name, 200)}`, {
            check: check_id,
            cluster_name,
            environment,
          }),
        text: ({ check_id }) => check_id,
      },
      ...(['first', 'last', 'least', 'most'] as const).map((end) => ({
        title: { first: 'First', last: 'Latest', least: 'Fewest', most: 'Most' }[end],
        value: ({ findings }: CheckTrend) => numberOrNone(ends(findings)[end]),
        text: ({ findings }: CheckTrend) => ends(findings)[end],
        align: 'right' as const,
      })),
    ],
    rows: checks,
    json: checks,
    empty: 'No check is known to have changed.',
    most: mostChecks,
  })
}
