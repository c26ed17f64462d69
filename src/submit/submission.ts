import type { ReportEnvelope } from '../contract/cluster-report.ts'
import type { ReceivedRun, ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import type { ReltError } from '../errors.ts'
import type { SpoolServer } from '../spool/entry-file.ts'

/** A report with what an upload says beside it. */
export interface Submission {
  body: ReportEnvelope
  /** JSON text. */
  report: Uint8Array
  /** Retries of the same submission share it (default: a new one). */
  idempotencyKey?: string
}

/** An upload that waits for its server. */
export interface SpooledUpload {
  spool_id: string
  server: SpoolServer
  /** The run as the server will store it; its id is the spool's. */
  run: ReceivedRun
}

export type SubmitOutcome =
  | { uploaded: ReceivedUploadResult; spooled?: undefined }
  | {
      uploaded?: undefined
      spooled: SpooledUpload
      /** Why the server did not take the upload. */
      reason: ReltError
    }
