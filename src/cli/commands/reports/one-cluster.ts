import type { RouteCaller } from '../../../client/client.ts'
import { ReltError } from '../../../errors.ts'
import { listed } from '../../../util/words.ts'
import type { Cli } from '../../program/command.ts'
import { type ClusterOptions, chooseCluster, clusterQuery } from './cluster.ts'

const maxNamed = 10

/**
 * The only cluster of a command: from the options, RELT_CLUSTER or the setting, or else the only one with runs. Undefined
 * without any run. Throws `usage` with the names if there are several. `or`: an alternative to choosing one.
 */
export async function chooseOneCluster(cli: Cli, options: ClusterOptions, or?: string): Promise<ClusterOptions> {
  const place = await chooseCluster(cli, options)
  if (place.cluster) return place
  const names = await listClusterNames(cli, place)
  const [only, ...others] = names
  if (only === undefined) return place
  if (others.length === 0) return { ...place, cluster: only }
  throw new ReltError('usage', `There are ${names.length} clusters: ${listed(names, maxNamed)}.`, {
    hint: `Choose one with -c NAME or \`relt config set cluster NAME\`${or ? `, or ${or}` : ''}.`,
  })
}

async function listClusterNames(client: RouteCaller, place: ClusterOptions) {
  const ask = async (window_days: number) => {
    const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days } })
    const clusters = 'clusters' in trends ? trends.clusters : []
    const own = clusters.filter(({ environment }) => (place.environment ?? environment) === environment)
    return [...new Set(own.flatMap(({ cluster_name }) => cluster_name ?? []))]
  }
  const names = await ask(1)
  if (names.length > 1) return names
  // Other servers may name only clusters with a run in the period, or none at all.
  const all = await ask(365)
  if (all.length > 0) return all
  const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 100 } })
  return [...new Set(items.flatMap(({ cluster_name }) => cluster_name ?? []))]
}
