import type { Client } from '../../../client/client.ts'
import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { type ClusterOptions, clusterQuery } from './cluster.ts'

export interface LatestRun {
  run: ReceivedRun
  /** Environments of the same cluster that were left out, since none was asked for. */
  otherEnvironments: string[]
}

/** Throws `not_found` when the cluster, or the store, has no run. */
export async function findLatestRunId(client: Client, options: ClusterOptions): Promise<string> {
  return (await findLatestRun(client, options)).run.run_id
}

/** The same, with the run. */
export async function findLatestRun(client: Client, options: ClusterOptions): Promise<LatestRun> {
  const query = { ...clusterQuery(options), per_page: 1 }
  const { items, environments } = await client.call('listReports', { query })
  const [run] = items
  if (run) {
    const others = (environments ?? []).filter((environment) => environment !== run.environment)
    return { run, otherEnvironments: options.environment ? [] : others }
  }
  const where = options.cluster ? ` for cluster ${options.cluster}` : ''
  throw new ReltError('not_found', `No reports${where} yet.`, {
    hint: 'Upload one: relt reports upload FILE',
  })
}
