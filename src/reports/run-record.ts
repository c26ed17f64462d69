import type { Run } from '../contract/cluster-report.ts'
import type { FindingCounts, ReportFormat } from '../contract/scan-finding.ts'
import { formatTimestamp, timestampOrNull } from '../util/time.ts'
import type { FaultyCheck } from './missed.ts'

/** The part of a run's record that is derived from the report alone. */
export interface ScanRecord {
  kubernetes_version: string | null
  score: number | null
  score_source: Run['score_source']
  format: ReportFormat
  total_checks: number
  failed_checks: number
  not_run_checks: number
  is_empty: boolean
  vulnerability_scan: boolean
  findings: FindingCounts
  suppressed_findings: number
  artifacts: Run['artifacts']
}

/** A run as the contract shows it, without its id; times are unix seconds. */
export interface RunRecord extends ScanRecord {
  cluster_name: string
  environment: string
  provider: string | null
  region: string | null
  source: string | null
  source_version: string | null
  started_at: number | null
  finished_at: number | null
  duration_seconds: number | null
  ingested_at: number
  /** Size of the uploaded report in bytes. */
  size_bytes: number
  ci: Run['ci']
}

/**
 * Sort key for the runs of a cluster, in unix seconds. Limited by the upload time, because the scanner's clock may be ahead.
 */
export function timeOfScan({ started_at, finished_at, ingested_at }: RunRecord): number {
  return Math.min(Math.floor(finished_at ?? started_at ?? ingested_at), ingested_at)
}

/** Converts the record to the contract's shape. */
export function toRun(run_id: string, record: RunRecord, gate: Run['gate'] = null): Run {
  const { total_checks, failed_checks, not_run_checks } = record
  return {
    run_id,
    cluster_name: record.cluster_name,
    environment: record.environment,
    provider: record.provider,
    region: record.region,
    source: record.source,
    source_version: record.source_version,
    kubernetes_version: record.kubernetes_version,
    score: record.score,
    score_source: record.score_source,
    format: record.format,
    total_checks,
    failed_checks,
    passed_checks: total_checks - failed_checks - not_run_checks,
    is_empty: record.is_empty,
    vulnerability_scan: record.vulnerability_scan,
    not_run_checks,
    gate,
    findings: record.findings,
    suppressed_findings: record.suppressed_findings,
    artifacts: record.artifacts,
    started_at: timestampOrNull(record.started_at),
    finished_at: timestampOrNull(record.finished_at),
    duration_seconds: record.duration_seconds,
    ingested_at: formatTimestamp(record.ingested_at),
    processing_status: 'ready',
    size_bytes: record.size_bytes,
    ci: record.ci,
  }
}

export const toCheckNotRun = ({ id, name, reason, fault }: FaultyCheck) => ({
  check_id: id,
  name,
  reason,
  ...(fault !== undefined && { known_fault: fault }),
})
