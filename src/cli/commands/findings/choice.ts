import type { Client } from '../../../client/client.ts'
import { ReltError } from '../../../errors.ts'
import { listed } from '../../../util/words.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { sketchClusters } from '../clusters/other-server.ts'
import { chooseCluster, clusterQuery } from '../reports/cluster.ts'
import { findRunId } from '../reports/find-run.ts'

export interface RunQuery {
  run_id?: string
  cluster_name?: string
  environment?: string
}

export const choiceOptions = {
  '-c, --cluster <name>': 'cluster (default: RELT_CLUSTER, the cluster setting, or the only one)',
  '-e, --environment <name>': 'environment of the cluster (default: all)',
  '-a, --all': 'all clusters',
} as const

export type ChoiceOptions = OptionsOf<typeof choiceOptions>

const maxNamed = 10

/** Which runs are meant. Throws `usage` when there are several clusters and none is chosen. */
export async function chooseRuns(cli: Cli, run: string | undefined, options: ChoiceOptions): Promise<RunQuery> {
  const { all, cluster, environment } = options
  if (all && (run ?? cluster) !== undefined) {
    const hint = 'Use one of them.'
    throw new ReltError('usage', `${run === undefined ? '--cluster' : 'A run'} and --all cannot be combined.`, { hint })
  }
  if (run !== undefined) return { run_id: await findRunId(cli, run, options) }
  if (all) return clusterQuery({ environment })
  const place = await chooseCluster(cli, options)
  if (place.cluster) return clusterQuery(place)
  const names = await listClusterNames(await cli.context.client(), cli.context.now())
  if (names.length === 0) {
    throw new ReltError('not_found', 'No reports yet.', { hint: 'Upload one: relt reports upload FILE' })
  }
  if (names.length === 1) return clusterQuery({ environment, cluster: names[0]! })
  throw new ReltError('usage', `There are ${names.length} clusters: ${listed(names, maxNamed)}.`, {
    hint: 'Choose one with --cluster or `relt config set cluster NAME`, or all with --all.',
  })
}

async function listClusterNames(client: Client, now: number): Promise<string[]> {
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: 1 } })
  const clusters = 'clusters' in trends ? trends.clusters : []
  const names = clusters.flatMap(({ cluster_name }) => cluster_name ?? [])
  // Other servers may name only clusters with a run in the window, or none.
  const known = names.length > 0 ? names : (await sketchClusters(client, {}, now)).map((each) => each.cluster_name)
  return [...new Set(known)]
}
