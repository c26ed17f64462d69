import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { staleDays } from '../../../contract/thresholds.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { daySeconds, parseTimestamp } from '../../../util/time.ts'
import { note, type Remark, warning } from '../../output/remarks.ts'
import { type ClusterOptions, clusterQuery } from '../reports/cluster.ts'

const windowDays = 365
/** Maximum requests for single runs, if the list of runs does not name their clusters. */
const maxAsked = 20

/** Figures of a cluster on a server without a list of clusters; null if unknown. */
interface Sketch {
  cluster_name: string
  environment: string | null
  run_id: string | null
  last_scan: string | null
  /** Scores, oldest first. */
  scores: (number | null)[]
}

/**
 * Clusters of a server with only the published routes, from its trends, or else from its runs. They have no id. `attention`
 * has reasons that follow from score and age, or is null: the rest is unknown.
 */
export async function sketchClusters(client: RouteCaller, place: ClusterOptions, now: number) {
  return (await sketchEach(client, place)).map((sketch) => toCluster(sketch, now))
}

/** Sorted by cluster and environment. */
async function sketchEach(client: RouteCaller, place: ClusterOptions) {
  const sketches = (await fromTrends(client)) ?? (await fromRuns(client, place))
  const compare = (a: string | null, b: string | null) => (a ?? '').localeCompare(b ?? '')
  return sketches.sort((a, b) => compare(a.cluster_name, b.cluster_name) || compare(a.environment, b.environment))
}

/** Undefined if the trends do not name their clusters. */
async function fromTrends(client: RouteCaller) {
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: windowDays } })
  if (!('clusters' in trends)) return undefined
  const sketches: Sketch[] = []
  for (const { cluster_name, environment, points } of trends.clusters) {
    if (cluster_name === null) return undefined
    const last = points.at(-1)
    sketches.push({
      cluster_name,
      environment,
      run_id: last?.run_id ?? null,
      last_scan: last?.at ?? null,
      scores: points.slice(-12).map(({ score }) => score),
    })
  }
  return sketches
}

/** Runs are listed newest first; a server may only list those of one cluster. */
async function fromRuns(client: RouteCaller, place: ClusterOptions): Promise<Sketch[]> {
  const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 100 } })
  const isNamed = items.every(({ cluster_name }) => cluster_name !== null)
  const runs: ReceivedRun[] = isNamed ? items : []
  if (!isNamed) {
    for (const { run_id } of items.slice(0, maxAsked)) runs.push(await client.call('getReport', { params: { run_id } }))
  }
  const byPlace = Map.groupBy(runs, ({ cluster_name, environment }) => JSON.stringify([cluster_name, environment]))
  return [...byPlace.values()].map((all) => {
    const [latest] = all
    return {
      cluster_name: latest!.cluster_name ?? 'unknown',
      environment: latest!.environment,
      run_id: latest!.run_id,
      last_scan: scannedAt(latest!),
      scores: all
        .slice(0, 12)
        .map(({ score }) => score)
        .reverse(),
    }
  })
}

function toCluster({ run_id, scores, ...sketch }: Sketch, now: number) {
  const [score = null, before = null] = [scores.at(-1), scores.at(-2)]
  const score_delta = score === null || before === null ? null : Math.round((score - before) * 100) / 100
  const at = sketch.last_scan === null ? undefined : parseTimestamp(sketch.last_scan)
  const attention = [
    ...(at !== undefined && now - at > staleDays * daySeconds ? ['stale_scan'] : []),
    ...(score_delta !== null && score_delta < 0 ? ['score_fell'] : []),
  ]
  return {
    ...sketch,
    environment: sketch.environment ?? '-',
    latest_run: run_id === null ? null : { run_id, score, score_delta },
    scores,
    attention: attention.length > 0 ? attention : null,
    labels: null,
    provider: null,
    region: null,
    kubernetes_version: null,
    expected_every: null,
    expected_reports: null,
    overdue: null,
    changes: null,
    freshness: null,
    has_figures: null,
    gate: null,
  } as ReceivedCluster
}

export const sketchRemarks: Remark[] = [
  warning(
    'The server has no figures of clusters. New and regressed findings, versions behind, advisories, ends of support, gates and silent clusters are unknown.',
  ),
  note('Shown are the latest runs that it lists.'),
]
