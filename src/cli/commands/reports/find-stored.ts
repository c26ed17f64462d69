import type { Client } from '../../../client/client.ts'
import type { Run } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'

/** The run that was just uploaded; undefined for a key of scope `upload`, which cannot read it back. */
export async function findStoredRun(client: Client, run_id: string): Promise<Run | undefined> {
  try {
    return await client.call('getReport', { params: { run_id } })
  } catch (error) {
    if (error instanceof ReltError && error.code === 'forbidden') return undefined
    throw error
  }
}
