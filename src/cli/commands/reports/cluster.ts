import type { RouteCaller } from '../../../client/client.ts'
import { MissingFeature } from '../../../client/missing-feature.ts'
import { parseClusterName } from '../../../config/cluster-name.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { nearest } from '../../../util/nearest-word.ts'
import { listed } from '../../../util/words.ts'
import { orUsage } from '../../input/or-usage.ts'

export interface ClusterOptions {
  cluster?: string | undefined
  environment?: string | undefined
  /** Source of the cluster name, if not an option. */
  setBy?: 'RELT_CLUSTER' | 'config'
}

/** Default: the current cluster, or else the only one. */
export const clusterOptions = (environment = 'that of the latest run') => ({
  '-c, --cluster <name>': 'cluster (default: RELT_CLUSTER, the cluster setting, or the only one)',
  '-e, --environment <name>': `environment of the cluster (default: ${environment})`,
})

/**
 * Like `clusterOptions`, for commands that judge one cluster: without options and settings, the store must have a single
 * cluster.
 */
export const onlyClusterOptions = clusterOptions('the only one')

/** The cluster from the options, or else the current one from RELT_CLUSTER or the settings. Throws `usage`. */
export async function chooseCluster(
  { context }: { context: Pick<Context, 'env' | 'settings' | 'client'> },
  options: ClusterOptions,
): Promise<ClusterOptions> {
  if (options.cluster) return splitCluster(await context.client(), options)
  const { RELT_CLUSTER: variable } = context.env
  const named = variable || (await context.settings()).cluster
  if (!named) return options
  const setBy = variable ? 'RELT_CLUSTER' : 'config'
  const what = variable ? 'RELT_CLUSTER' : 'The cluster setting'
  orUsage(`${what} cannot be "${named}".`, () => parseClusterName(named))
  return splitCluster(await context.client(), { ...options, cluster: named, setBy })
}

/** Splits `prod-eu/prod` into name and environment, if a cluster has that name, and none has the whole as its name. */
export async function splitCluster(client: RouteCaller, options: ClusterOptions): Promise<ClusterOptions> {
  const { cluster, environment, setBy } = options
  if (!cluster?.includes('/') || (environment !== undefined && !setBy)) return options
  const split = parseClusterName(cluster)
  const hasRuns = async (cluster_name: string) =>
    (await client.call('listReports', { query: { cluster_name, per_page: 1 } })).items.length > 0
  const isName = (await hasRuns(cluster)) || !(await hasRuns(split.cluster))
  return isName ? options : { ...options, ...split, environment: environment ?? split.environment }
}

/** Undefined if no cluster was named; otherwise an error with similar names. */
export async function unknownCluster(client: RouteCaller, place: ClusterOptions): Promise<ReltError | undefined> {
  if (!place.cluster) return undefined
  const trends = await client.call('reportTrends', { query: { group_by_cluster: true, window_days: 365 } })
  const known = 'clusters' in trends ? trends.clusters : []
  const own = known.filter(({ cluster_name }) => cluster_name === place.cluster)
  return new ReltError('not_found', noReports(place), {
    hint: hintFor(place, { own, names: [...new Set(known.flatMap(({ cluster_name }) => cluster_name ?? []))] }),
  })
}

/** Runs a request about a cluster; the error for an unknown cluster lists similar names. */
export async function aboutCluster<T>(client: RouteCaller, place: ClusterOptions, answer: Promise<T>) {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'not_found' || error instanceof MissingFeature) throw error
    const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 1 } })
    throw (items.length === 0 && (await unknownCluster(client, place))) || error
  }
}

function hintFor(
  { cluster, setBy }: ClusterOptions,
  { own, names }: { own: { environment: string | null }[]; names: string[] },
) {
  if (setBy) {
    const change = setBy === 'config' ? '`relt config set cluster ""`' : 'another value of RELT_CLUSTER'
    return `Choose a cluster with -c, or use ${change}.`
  }
  if (own.length > 0) return `Its environments: ${listed(own.map(({ environment }) => environment ?? '-'))}.`
  const meant = nearest(cluster!, names)
  if (meant !== undefined) return `Did you mean ${meant}?`
  return names.length > 0 ? `Clusters: ${listed(names, 8)}.` : 'Upload one: relt reports upload FILE'
}

export function clusterQuery({ cluster, environment }: ClusterOptions) {
  return { ...(cluster && { cluster_name: cluster }), ...(environment && { environment }) }
}

/** Message for an empty result. */
export function noReports({ cluster, environment, setBy }: ClusterOptions) {
  if (!cluster && !environment) return 'No reports yet. Upload one: relt reports upload FILE'
  const where = [cluster && `cluster ${cluster}`, environment && `environment ${environment}`].filter(Boolean)
  const set = setBy && ` ${setBy === 'config' ? 'The cluster setting' : setBy} names it.`
  return `No reports for ${where.join(', ')}.${set ?? ''}`
}
