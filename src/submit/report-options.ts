import type { Inventory, ReportEnvelope } from '../contract/cluster-report.ts'
import type { Profile } from '../profiles/index.ts'
import { defined } from '../util/defined.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { profileEnvelope } from './profile-envelope.ts'
import type { Submission } from './submission.ts'
import type { SubmitOptions } from './submit.ts'

/** What a command or a job of the agent says about a report that relt makes: of a scan, or collected from an operator. */
export interface ReportOptions extends SubmitOptions {
  /** Context of the kubeconfig (default: that of the profile, or the current one). */
  context?: string | undefined
  /** Ask the API server's metrics which deprecated APIs clients request. */
  deprecatedApis?: boolean | undefined
  /** Name of the cluster (default: that of the profile, the context or the report). */
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
export function toSubmission(options: ReportOptions, made: MadeReport, profile?: Profile): Submission {
  const { environment, cluster } = profile ? profileEnvelope(profile) : {}
  const { ci, allowEmpty, idempotencyKey } = options
  return {
    report: made.report,
    body: {
      source: 'relt',
      environment: options.environment ?? environment,
      cluster: { ...cluster, name: toClusterName({ ...options, profile }) },
      ...(allowEmpty && { allow_empty: true }),
      ...defined({ ci, artifacts: made.inventory }),
      run: { started_at: formatTimestamp(made.startedAt), finished_at: formatTimestamp(made.finishedAt) },
    },
    ...defined({ idempotencyKey }),
  }
}

interface Placed extends Pick<ReportOptions, 'cluster' | 'context'> {
  profile?: Profile | undefined
}

/** Context of the kubeconfig; undefined for the current one. */
export function contextFor({ context, profile }: Placed): string | undefined {
  return context || profile?.settings.context || undefined
}

/**
 * Undefined where only the report says it. A profile without a name for its cluster has been given its own: with another context, it
 * would mix two clusters in one history.
 */
export function toClusterName({ cluster, context, profile }: Placed): string | undefined {
  const isNamed = profile !== undefined && profile.cluster_name !== '' && profile.cluster_name !== profile.name
  if (cluster) return cluster
  if (isNamed && profile.cluster_name !== profile.settings.context) return profile.cluster_name
  return context || profile?.cluster_name || profile?.settings.context || undefined
}

/** Folder in which the reports of a scan stay; without one only their content does. */
export function folderFor({ out, profile }: { out?: string | undefined; profile?: Profile | undefined }) {
  return out ?? profile?.settings.output?.outputPath
}
