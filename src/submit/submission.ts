import type { ReportEnvelope } from '../contract/cluster-report.ts'
import type { ReceivedRun, ReceivedUploadResult } from '../contract/received/cluster-report.ts'
import type { ReltError } from '../errors.ts'
import type { SpoolServer } from '../spool/entry-file.ts'

/** A report with the other data of an upload. */
export interface Submission {
  body: ReportEnvelope
  /** JSON text. */
  report: Uint8Array
  /** Shared by retries of the same submission (default: a new one). */
  idempotencyKey?: string
}

/** An upload that is queued for its server. */
export interface SpooledUpload {
  spool_id: string
  server: SpoolServer
  /** The run as the server will store it, with the spool's id. */
  run: ReceivedRun
}

export type SubmitOutcome =
  | { uploaded: ReceivedUploadResult; spooled?: undefined }
  | {
      uploaded?: undefined
      spooled: SpooledUpload
      /** Why the server did not accept the upload. */
      reason: ReltError
    }
