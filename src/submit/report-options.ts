import type { Inventory, ReportEnvelope } from '../contract/cluster-report.ts'
import type { Profile } from '../profiles/index.ts'
import { defined } from '../util/defined.ts'
import { formatTimestamp, type UnixSeconds } from '../util/time.ts'
import { profileEnvelope } from './profile-envelope.ts'
import type { Submission } from './submission.ts'
import type { SubmitOptions } from './submit.ts'

/** Options of a command or agent job for a report that relt creates, from a scan or an operator. */
export interface ReportOptions extends SubmitOptions {
  /** Kubeconfig context (default: that of the profile, or the current one). */
  context?: string | undefined
  /** The only namespaces to read what runs from. */
  namespaces?: string[] | undefined
  /** Query the API server's metrics for requests to deprecated APIs. */
  deprecatedApis?: boolean | undefined
  /** Name of the cluster (default: that of the profile, the context or the report). */
  cluster?: string | undefined
  environment?: string | undefined
  /** Folder to save the reports in (default: that of the profile, if any). */
  out?: string | undefined
  timeoutMs?: number | undefined
  /** The current pipeline. */
  ci?: ReportEnvelope['ci']
  /** Shared by retries of the same report (default: a new one). */
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

/** The submission of a report. Options override a stored profile. */
export function toSubmission(options: ReportOptions, made: MadeReport, profile?: Profile): Submission {
  const { environment, cluster } = profile ? profileEnvelope(profile) : {}
  const { ci, idempotencyKey } = options
  return {
    report: made.report,
    body: {
      source: 'relt',
      environment: options.environment ?? environment,
      cluster: { ...cluster, name: toClusterName({ ...options, profile }) },
      ...defined({ ci, artifacts: made.inventory }),
      run: { started_at: formatTimestamp(made.startedAt), finished_at: formatTimestamp(made.finishedAt) },
    },
    ...defined({ idempotencyKey }),
  }
}

interface Placed extends Pick<ReportOptions, 'cluster' | 'context'> {
  profile?: Profile | undefined
}

/** Kubeconfig context; undefined for the current one. */
export function contextFor({ context, profile }: Placed): string | undefined {
  return context || profile?.settings.context || undefined
}

/**
 * Undefined if only the report names it. A profile without a cluster name uses its own name: with another context, it would
 * mix two clusters in one history.
 */
export function toClusterName({ cluster, context, profile }: Placed): string | undefined {
  const isNamed = profile !== undefined && profile.cluster_name !== '' && profile.cluster_name !== profile.name
  if (cluster) return cluster
  if (isNamed && profile.cluster_name !== profile.settings.context) return profile.cluster_name
  return context || profile?.cluster_name || profile?.settings.context || undefined
}

/** Folder to store a scan's reports in; without one, only the content is returned. */
export function folderFor({ out, profile }: { out?: string | undefined; profile?: Profile | undefined }) {
  return out ?? profile?.settings.output?.outputPath
}
