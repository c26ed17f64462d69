import type { Client } from '../client/client.ts'
import type { ReceivedRun } from '../contract/received/cluster-report.ts'

/** So many are named. */
const mostAsked = 20

/**
 * Names of the cluster's other subjects whose latest verdict is that it failed. The cluster itself has the name of its scanner.
 */
export async function findFailedSubjects(client: Client, run: ReceivedRun): Promise<string[]> {
  const { cluster_name, environment } = run
  if (cluster_name === null || environment === null) return []
  const query = { cluster_name, environment, latest: true, per_page: 100 }
  const { items, latest } = await client.call('listReports', { query })
  // Another server lists all runs.
  const failed = latest ? items.filter(({ run_id, gate }) => gate?.verdict === 'failed' && run_id !== run.run_id) : []
  const asked = failed.slice(0, mostAsked).map(({ run_id }) => client.call('getReport', { params: { run_id } }))
  const others = (await Promise.all(asked)).filter(
    ({ format, subject }) => format !== run.format || subject !== run.subject,
  )
  return others.map(({ subject, format }) => subject ?? format ?? 'another scanner')
}
