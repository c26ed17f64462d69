import type { Client } from '../client/client.ts'
import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { insteadOf } from '../errors.ts'
import { type ListedFinding, listFindings } from '../reports/list-findings.ts'

/** Compares with the previous run; undefined for the first run of a cluster. */
export function compareWithPrevious(client: Client, run_id: string): Promise<ReceivedComparison | undefined> {
  return client.call('compareReports', { query: { to_run_id: run_id } }).catch(insteadOf('not_found', undefined))
}

/** The findings in the report of a run; undefined if the server does not return it. */
export async function listStoredFindings(
  client: Client,
  { run_id, format }: ReceivedRun,
): Promise<ListedFinding[] | undefined> {
  const { report } = await client.call('getReport', { params: { run_id }, query: { include_report: true } })
  return report == null ? undefined : listFindings(Buffer.from(JSON.stringify(report)), format)
}

/** The run that was just uploaded; undefined for an API key of scope `upload`, which may not read it. */
export function findStoredRun(client: Client, run_id: string): Promise<ReceivedRun | undefined> {
  return client.call('getReport', { params: { run_id } }).catch(insteadOf('forbidden', undefined))
}
