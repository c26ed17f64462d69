import { ReltError } from '../../../errors.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { type ClusterOptions, clusterQuery } from '../reports/cluster.ts'
import { findRunId } from '../reports/find-run.ts'
import { chooseOneCluster } from '../reports/one-cluster.ts'

export interface RunQuery {
  run_id?: string
  cluster_name?: string
  environment?: string
}

/** The cluster of a query, for `aboutCluster`; none for a run, which belongs to one cluster. */
export const placeOfQuery = ({ run_id, cluster_name, environment }: RunQuery): ClusterOptions =>
  run_id === undefined ? { cluster: cluster_name, environment } : {}

export const choiceOptions = {
  '-c, --cluster <name>': 'cluster (default: RELT_CLUSTER, the cluster setting, or the only one)',
  '-e, --environment <name>': 'environment of the cluster (default: all)',
  '-a, --all': 'all clusters',
} as const

export type ChoiceOptions = OptionsOf<typeof choiceOptions>

/** Selects the runs for a query. Throws `usage` if there are several clusters and none is chosen. */
export async function chooseRuns(cli: Cli, run: string | undefined, options: ChoiceOptions): Promise<RunQuery> {
  const { all, cluster, environment } = options
  if (all && (run ?? cluster) !== undefined) {
    throw new ReltError('usage', `${run === undefined ? '--cluster' : 'A run'} and --all cannot be combined.`, {
      hint: 'Use one of them.',
    })
  }
  if (run !== undefined) return { run_id: await findRunId(cli, run, options) }
  if (all) return clusterQuery({ environment })
  const place = await chooseOneCluster(cli, options, 'all with --all')
  if (place.cluster) return clusterQuery(place)
  throw new ReltError('not_found', 'No reports yet.', { hint: 'Upload one: relt reports upload FILE' })
}
