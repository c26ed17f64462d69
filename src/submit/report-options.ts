import type { Inventory, ReportEnvelope } from '../contract/cluster-report.ts'
import type { Profile } from '../profiles/index.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { profileEnvelope } from './profile-envelope.ts'
import type { Submission } from './submission.ts'
import type { SubmitOptions } from './submit.ts'

/** What a command or a job of the agent says about a report that relt makes: of a scan, or collected from an operator. */
export interface ReportOptions extends SubmitOptions {
  /** Name of the cluster (default: that of the profile or the report). */
  cluster?: string | undefined
  environment?: string | undefined
  /** Folder in which the reports are saved (default: that of the profile, if any). */
  out?: string | undefined
  timeoutMs?: number | undefined
  /** Accept a report that has neither checks nor results. */
  allowEmpty?: boolean | undefined
  /** The pipeline that relt runs in. */
  ci?: ReportEnvelope['ci']
  /** Retries of the same report share it (default: a new one). */
  idempotencyKey?: string | undefined
  signal: AbortSignal
}

interface MadeReport {
  /** JSON text. */
  report: Uint8Array
  startedAt: UnixSeconds
  finishedAt: UnixSeconds
  inventory: Inventory | undefined
}

/** The report as it is submitted. Options come before what a stored profile says. */
export function submissionOf(options: ReportOptions, made: MadeReport, profile?: Profile): Submission {
  const { environment, cluster } = profile ? profileEnvelope(profile) : {}
  const { ci, allowEmpty, idempotencyKey } = options
  return {
    report: made.report,
    body: {
      source: 'relt',
      environment: options.environment ?? environment,
      cluster: { ...cluster, name: options.cluster ?? cluster?.name },
      ...(allowEmpty && { allow_empty: true }),
      ...(ci && { ci }),
      ...(made.inventory && { artifacts: made.inventory }),
      run: { started_at: formatTimestamp(made.startedAt), finished_at: formatTimestamp(made.finishedAt) },
    },
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  }
}

/** Folder in which the reports of a scan stay; without one only their content does. */
export function folderOf({ out, profile }: { out?: string | undefined; profile?: Profile | undefined }) {
  return out ?? profile?.settings.output?.outputPath
}
