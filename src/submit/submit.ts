import type { ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import { newUploadKey } from '../util/upload-key.ts'
import { during, type SubmitContext } from './context.ts'
import type { Submission, SubmitOutcome } from './submission.ts'

export interface SubmitOptions {
  /** Queue the upload in the spool if the server is unavailable. */
  offlineOk?: boolean
}

/**
 * Stores a report. With `offlineOk`, an upload is queued in the spool while the server is unavailable. Throws the server's
 * error, and with `store_unusable` as its cause if queueing fails too.
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
    const { enqueue } = await import('./enqueue.ts')
    return { spooled: await enqueue({ ...context, server, spool }, keyed, error), reason: error }
  }
  for (const warning of uploaded.warnings ?? []) onWarning(warning)
  return { uploaded }
}
