import type { Generated } from 'kysely'
import type { ReportFormat, Run } from '../../contract/cluster-report.ts'
import type { Sealed } from '../../util/seal.ts'

/** A user's cluster in one environment: the line of runs that are compared with each other. */
export interface ClusterTable {
  id: Generated<number>
  user_id: number
  name: string
  environment: string
  /** 1: fingerprints and content hashes of its runs are hashed with the store's key. */
  is_keyed: Generated<number>
}

export interface RunTable {
  id: Generated<number>
  run_id: string
  cluster_id: number
  /** Time of the scan, never after `ingested_at`. Orders the runs of a cluster, with `id` as the tiebreaker. */
  at: number
  ingested_at: number
  started_at: number | null
  finished_at: number | null
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
  is_empty: number
  findings_total: number
  findings_critical: number
  findings_high: number
  findings_medium: number
  findings_low: number
  findings_info: number
  suppressed_findings: number
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
}

export interface RunPartTable {
  run_id: number
  /** `report`: as uploaded; `context`: scope, names and artifacts; `details`: blocks of finding texts. */
  kind: 'report' | 'context' | 'details'
  part: number
  key_id: string
  sealed: Sealed
}

/** Keyed fingerprint, severity and check of each finding: see `reports/finding-index.ts`. */
export interface RunFindingTable {
  run_id: number
  records: Uint8Array
}

/** The first appearance of a finding in a cluster: distinguishes new findings from regressed ones. */
export interface FindingHistoryTable {
  cluster_id: number
  /** Keyed, as in the records. */
  fingerprint: Uint8Array
  first_at: number
  first_run_id: number
}
