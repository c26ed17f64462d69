import type { Client } from '../../client/client.ts'
import { ReltError } from '../../errors.ts'
import { type ClusterOptions, clusterQuery } from './cluster.ts'

/** Throws `not_found` when the cluster, or the store, has no run. */
export async function findLatestRunId(client: Client, options: ClusterOptions): Promise<string> {
  const { items } = await client.call('listReports', { query: { ...clusterQuery(options), per_page: 1 } })
  if (items[0]) return items[0].run_id
  const where = options.cluster ? ` of cluster ${options.cluster}` : ''
  throw new ReltError('not_found', `There is no report${where} yet.`, {
    hint: 'Upload one: relt reports upload FILE',
  })
}
