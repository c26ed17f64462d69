import type { Client } from '../client/client.ts'
import type { ReceivedComparison, ReceivedRun } from '../contract/received/cluster-report.ts'
import { ReltError } from '../errors.ts'

/** Compares with the previous run; undefined for the first run of a cluster. */
export async function compareWithPrevious(client: Client, run_id: string): Promise<ReceivedComparison | undefined> {
  try {
    return await client.call('compareReports', { query: { to_run_id: run_id } })
  } catch (error) {
    if (error instanceof ReltError && error.code === 'not_found') return undefined
    throw error
  }
}

/** The run that was just uploaded; undefined for an API key of scope `upload`, which may not read it. */
export async function findStoredRun(client: Client, run_id: string): Promise<ReceivedRun | undefined> {
  try {
    return await client.call('getReport', { params: { run_id } })
  } catch (error) {
    if (error instanceof ReltError && error.code === 'forbidden') return undefined
    throw error
  }
}
