import type { ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import { newUploadKey } from '../util/upload-key.ts'
import { during, type SubmitContext } from './context.ts'
import type { Submission, SubmitOutcome } from './submission.ts'

export interface SubmitOptions {
  /** Spool the upload when the server cannot take it now. */
  offlineOk?: boolean
}

/**
 * Stores a report. With `offlineOk`, an upload that the server cannot take now goes to the spool. Throws the server's
 * error, and `store_unusable` as the cause of that error when the spool cannot take the upload either.
 */
export async function submit(
  context: SubmitContext,
  submission: Submission,
  { offlineOk = false }: SubmitOptions = {},
): Promise<SubmitOutcome> {
  const { client, onWarning } = context
  const keyed = { ...submission, idempotencyKey: submission.idempotencyKey ?? newUploadKey() }
  let uploaded: ReceivedUploadResult
  try {
    const step = { name: 'store', bytes: submission.report.length } as const
    uploaded = await during(context, step, () => client.call('uploadReport', keyed))
  } catch (error) {
    const { server, spool } = context
    if (!server || !spool || !offlineOk) throw error
    const { isUnavailable } = await import('../spool/send.ts')
    if (!isUnavailable(error)) throw error
    const { enqueueAfter } = await import('./enqueue.ts')
    return { spooled: await enqueueAfter(error, { ...context, server, spool }, keyed), reason: error }
  }
  for (const warning of uploaded.warnings ?? []) onWarning(warning)
  return { uploaded }
}
