import type { ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import { recogniseOrRefuse } from '../reports/formats/index.ts'
import { newUploadKey } from '../util/upload-key.ts'
import { during, type SubmitContext } from './context.ts'
import type { Submission, SubmitOutcome } from './submission.ts'

export interface SubmitOptions {
  /** Queue the upload in the spool if the server is unavailable. */
  offlineOk?: boolean
  /** Store a report that is not understood, or is empty, as it is. */
  asIs?: boolean | undefined
}

/**
 * Stores a report, and refuses an unknown file before it is sent. With `offlineOk`, an upload is queued in the spool while the server is unavailable. Throws the server's
 * error, and with `store_unusable` as its cause if queueing fails too.
 */
export async function submit(
  context: SubmitContext,
  submission: Submission,
  { offlineOk = false, asIs = false }: SubmitOptions = {},
): Promise<SubmitOutcome> {
  const { client, onWarning } = context
  const { idempotencyKey = newUploadKey() } = submission
  // With the name of its scanner, the server accepts only a report of this scanner.
  const format = submission.body.format ?? (asIs ? undefined : recogniseOrRefuse(submission.report))
  const keyed = { ...submission, body: { ...submission.body, format }, idempotencyKey }
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
