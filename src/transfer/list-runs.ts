import type { ClusterName } from '../config/cluster-name.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'
import { allPages } from '../util/all-pages.ts'
import { defined } from '../util/defined.ts'
import type { End } from './end.ts'
import { failureOfItem } from './failure.ts'

/** A run with the cluster that it was listed under. */
export interface ListedRun {
  run: ReceivedRun
  /** Null if neither the record nor the list contains it. */
  cluster: string | null
  environment: string | null
}

const perPage = 100
const windowDays = 365
/** Limit per cluster: no real server has more. */
const maxRuns = 100_000

/** The clusters of an end: all of them if it is a relt server, else those in its other answers. */
export async function findClusters(end: End): Promise<{ clusters: ClusterName[]; isWhole: boolean }> {
  const candidates = await namesFor(() => end.client.call('listBootstrapCandidates', {}), 'candidates')
  if (await isRelt(end)) return { clusters: candidates, isWhole: true }
  const trends = await namesFor(
    () => end.client.call('reportTrends', { query: { group_by_cluster: true, window_days: windowDays } }),
    'clusters',
  )
  const profiles = await namesFor(() => end.client.call('listConfigs', { query: { per_page: perPage } }), 'items')
  // Profiles have no environment.
  return { clusters: [...candidates, ...trends, ...profiles], isWhole: false }
}

/** All runs of the clusters, and those that the end lists without a cluster. */
export async function listRuns(end: End, clusters: ClusterName[], wanted?: ClusterName[]): Promise<ListedRun[]> {
  const found = new Map<string, ListedRun>()
  const add = (list: ReceivedRun[], place: Partial<ClusterName>) => {
    for (const run of list) {
      const known = found.get(run.run_id)
      const cluster = run.cluster_name ?? known?.cluster ?? place.cluster ?? null
      const environment = run.environment ?? known?.environment ?? place.environment ?? null
      found.set(run.run_id, { run, cluster, environment })
    }
  }
  for (const place of distinct(clusters)) add(await runsFor(end, place), place)
  // Without a cluster, the API lists that of the latest upload.
  if (!wanted) add(await runsFor(end, {}), {})
  return oldestFirst([...found.values()])
}

/** If a server does not return upload times, its runs keep the order of the list. */
function oldestFirst(newestFirst: ListedRun[]): ListedRun[] {
  const arrival = ({ run }: ListedRun) => run.ingested_at ?? run.finished_at ?? run.started_at ?? ''
  return newestFirst.reverse().sort((a, b) => compareTexts(arrival(a), arrival(b)))
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

async function runsFor({ client }: End, { cluster, environment }: Partial<ClusterName>): Promise<ReceivedRun[]> {
  const query = defined({ cluster_name: cluster, environment, per_page: perPage })
  return allPages((page) => client.call('listReports', { query: { ...query, page } }), {
    toId: ({ run_id }) => run_id,
    most: maxRuns,
  })
}

/** Detected by an inexpensive route that only relt has. */
async function isRelt({ client, address }: End): Promise<boolean> {
  if (address === 'local') return true
  try {
    await client.call('getCurrentKey', {})
    return true
  } catch (error) {
    failureOfItem(error)
    return false
  }
}

/** Cluster names in an answer; empty if it has another form or is denied. */
async function namesFor(ask: () => Promise<object>, member: string): Promise<ClusterName[]> {
  try {
    const list = ((await ask()) as Record<string, unknown>)[member]
    return (Array.isArray(list) ? list : []).flatMap(({ cluster_name, environment }) =>
      typeof cluster_name === 'string' && cluster_name !== ''
        ? { cluster: cluster_name, environment: typeof environment === 'string' ? environment : undefined }
        : [],
    )
  } catch (error) {
    failureOfItem(error)
    return []
  }
}

export function distinct(clusters: ClusterName[]): ClusterName[] {
  return [...new Map(clusters.map((each) => [JSON.stringify([each.cluster, each.environment ?? null]), each])).values()]
}

/** Whether a cluster was selected: by its name, or by name and environment. */
export function isChosen(
  place: { cluster: string | null; environment?: string | null },
  chosen: ClusterName[] | undefined,
): boolean {
  if (!chosen) return true
  return chosen.some(
    ({ cluster, environment }) =>
      cluster === place.cluster &&
      (environment === undefined || place.environment === undefined || environment === place.environment),
  )
}
