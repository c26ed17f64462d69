import type { Generated } from 'kysely'
import type { Run } from '../../contract/cluster-report.ts'
import type { ReportFormat } from '../../contract/scan-finding.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface RunTable {
  id: Generated<number>
  run_id: string
  cluster_id: number
  /** Time of the scan, never after `ingested_at`. Orders the runs of a cluster, with `id` as the tiebreaker. */
  at: UnixSeconds
  ingested_at: UnixSeconds
  started_at: UnixSeconds | null
  finished_at: UnixSeconds | null
  duration_seconds: number | null
  provider: string | null
  region: string | null
  source: string | null
  source_version: string | null
  kubernetes_version: string | null
  score: number | null
  score_source: Run['score_source']
  format: ReportFormat
  total_checks: number
  failed_checks: number
  not_run_checks: number
  /** Checks, namespaces and kinds of the accepted scope that it lacks; 0 once its scope is accepted. */
  scope_gaps: Generated<number>
  /** Keyed hash of what did not run and what is missing: '' for nothing. Equal keys, equal gaps. Null for runs of earlier releases. */
  gaps_key: string | null
  is_empty: number
  findings_total: number
  findings_critical: number
  findings_high: number
  findings_medium: number
  findings_low: number
  findings_info: number
  findings_unknown: Generated<number>
  suppressed_findings: number
  /** JSON: how many different findings of each severity, the worst first. Null until a run of an earlier release is indexed again. */
  distinct_findings: string | null
  images: number
  helm_charts: number
  apps: number
  size_bytes: number
  /** JSON. */
  ci: string | null
  /** HMAC of the SHA-256 of the report. */
  content_hash: Uint8Array
  idempotency_key: string | null
  /** By which rules its findings are identified: see `identityVersion`. */
  identity_version: number
  /** Verdict of the gate that judged the run last; null: none was reported. */
  gate_verdict: 'passed' | 'failed' | 'undecided' | null
  gate_at: UnixSeconds | null
}
