import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import type { Policy } from '../../../gate/policy.ts'
import { judgeScanners } from '../../../submit/judge-scanners.ts'
import { parseRunReference } from '../../input/run-reference.ts'
import { showSteps } from '../../output/steps.ts'
import type { Cli } from '../../program/command.ts'
import { type ClusterOptions, chooseCluster, clusterQuery } from '../reports/cluster.ts'
import { findRun, findRunId } from '../reports/find-run.ts'

/** Help text about the default of a run argument. */
export const defaultRuns = 'the latest run of each scanner of the cluster'

/**
 * The runs to judge: the referenced one, or else the latest of each scanner of one cluster. Throws `usage` if several
 * clusters or environments are possible: a verdict on one says nothing about the others.
 */
export async function findGateRuns(
  cli: Cli,
  reference: string | undefined,
  options: ClusterOptions,
): Promise<[ReceivedRun['run_id'], ...ReceivedRun['run_id'][]]> {
  const wanted = parseRunReference(reference ?? 'latest')
  if (!wanted || wanted.kind === 'id' || wanted.kind === 'prefix') return [await findRunId(cli, reference, options)]
  const place = await chooseCluster(cli, options)
  const latest = await listLatest(cli, place)
  const clusters = latest ?? (await listClustersOfTrends(cli, place))
  const only = requireOne(clusters, place)
  const isLatest = wanted.kind === 'latest' && wanted.back === 0
  if (isLatest && latest?.[0]) return [latest[0].run_id, ...latest.slice(1).map(({ run_id }) => run_id)]
  return [(await findRun(cli, reference, only ?? options)).run_id]
}

/** Judges each of these runs by a policy. */
export async function judgeRuns(
  cli: Cli,
  reference: string | undefined,
  { policy, ...place }: ClusterOptions & { policy: Policy },
) {
  const runIds = await findGateRuns(cli, reference, place)
  const { onProgress } = showSteps(cli.io)
  const client = await cli.context.client()
  return judgeScanners({ client, now: cli.context.now, onProgress }, policy, runIds)
}

type Place = Pick<ReceivedRun, 'cluster_name' | 'environment'>

const perPage = 100

/** Undefined if a server cannot list latest runs. The first page shows whether there is more than one cluster. */
async function listLatest(client: RouteCaller, place: ClusterOptions): Promise<ReceivedRun[] | undefined> {
  const query = { ...clusterQuery(place), latest: true, per_page: perPage }
  const { items, latest } = await client.call('listReports', { query })
  return latest ? items : undefined
}

async function listClustersOfTrends(client: RouteCaller, place: ClusterOptions): Promise<Place[]> {
  const query = { ...clusterQuery(place), group_by_cluster: true, window_days: 365 }
  const trends = await client.call('reportTrends', { query })
  const clusters = 'clusters' in trends ? trends.clusters : [trends]
  return clusters.filter(
    ({ cluster_name, environment, points }) =>
      points.length > 0 &&
      (place.cluster === undefined || cluster_name === place.cluster) &&
      (place.environment === undefined || environment === place.environment),
  )
}

const mostNamed = 20

/** Undefined if there are none. Throws for several. */
function requireOne(places: Place[], { cluster }: ClusterOptions): ClusterOptions | undefined {
  const named = new Map(places.map((place) => [JSON.stringify([place.cluster_name, place.environment]), place]))
  const [first, ...others] = named.values()
  if (!first) return undefined
  const { cluster_name, environment } = first
  if (others.length === 0) return { cluster: cluster_name ?? cluster, environment: environment ?? undefined }
  const all = [first, ...others]
  const listed = all
    .slice(0, mostNamed)
    .map(({ cluster_name: name, environment: stage }) => [
      `${name ?? '-'} (${stage ?? '-'})`,
      `--cluster ${quoted(name)} --environment ${quoted(stage)}`,
    ])
  const where = cluster === undefined ? 'The store has' : `${cluster} has`
  const what = cluster === undefined ? 'clusters' : 'environments'
  throw new ReltError('usage', `${where} runs of several ${what}, and a gate judges one.`, {
    params: Object.fromEntries(listed),
    hint: `${all.length > mostNamed ? 'These are some of them; list all: relt status --all. ' : ''}Choose one with --cluster and --environment, or name a run.`,
  })
}

function quoted(name: string | null) {
  return name !== null && /^[\w.@:/-]+$/.test(name) ? name : JSON.stringify(name)
}
