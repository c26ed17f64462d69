import { parseClusterName } from '../../../config/cluster-name.ts'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'

export interface ClusterOptions {
  cluster?: string | undefined
  environment?: string | undefined
  /** Source of the cluster's name, when no option names it. */
  setBy?: 'RELT_CLUSTER' | 'config'
}

/** Without them the current cluster is meant, else that of the latest upload. */
export const clusterOptions = (environment = 'that of the latest run') =>
  placeOptions({ cluster: 'the cluster of the latest upload', environment })

/** With words for the defaults. */
function placeOptions({ cluster, environment }: { cluster: string; environment: string }) {
  return {
    '-c, --cluster <name>': `cluster (default: RELT_CLUSTER, the cluster setting, or ${cluster})`,
    '-e, --environment <name>': `environment of the cluster (default: ${environment})`,
  }
}

/** The same for commands that judge one cluster: without options and settings the store must have no other. */
export const onlyClusterOptions = placeOptions({ cluster: 'the only cluster', environment: 'the only one' })

/** The cluster of the options, else the current one of RELT_CLUSTER or the settings. Throws `usage`. */
export async function chooseCluster(
  { context }: { context: Pick<Context, 'env' | 'settings'> },
  options: ClusterOptions,
): Promise<ClusterOptions> {
  if (options.cluster) return options
  const { RELT_CLUSTER: variable } = context.env
  const named = variable || (await context.settings()).cluster
  if (!named) return options
  const setBy = variable ? 'RELT_CLUSTER' : 'config'
  try {
    const { cluster, environment } = parseClusterName(named)
    return { cluster, environment: options.environment ?? environment, setBy }
  } catch (cause) {
    const what = variable ? 'RELT_CLUSTER' : 'The cluster setting'
    throw new ReltError('usage', `${what} cannot be "${named}".`, { hint: `Use ${(cause as Error).message}.`, cause })
  }
}

export function clusterQuery({ cluster, environment }: ClusterOptions) {
  return { ...(cluster && { cluster_name: cluster }), ...(environment && { environment }) }
}

/** Message for an empty result. */
export function noReports({ cluster, environment, setBy }: ClusterOptions): string {
  if (!cluster && !environment) return 'No reports yet. Upload one: relt reports upload FILE'
  const where = [cluster && `cluster ${cluster}`, environment && `environment ${environment}`].filter(Boolean)
  const set = setBy && ` ${setBy === 'config' ? 'The cluster setting' : setBy} names it.`
  return `No reports for ${where.join(', ')}.${set ?? ''}`
}
