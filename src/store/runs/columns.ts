import type { Selectable } from 'kysely'
import type { FindingCounts } from '../../contract/scan-finding.ts'
import type { Tables } from '../../db/schema/index.ts'
import type { RunRecord, ScanRecord } from '../../reports/run-record.ts'

/** A run with the name and environment of its cluster. */
export type RunRow = Selectable<Tables['run']> & { name: string; environment: string }

export function runColumns(record: RunRecord) {
  return {
    provider: record.provider,
    region: record.region,
    source: record.source,
    source_version: record.source_version,
    ...scanColumns(record),
    started_at: record.started_at,
    finished_at: record.finished_at,
    duration_seconds: record.duration_seconds,
    ingested_at: record.ingested_at,
    size_bytes: record.size_bytes,
    ci: record.ci === null ? null : JSON.stringify(record.ci),
  } satisfies Partial<Selectable<Tables['run']>>
}

export function scanColumns({ findings, artifacts, ...scan }: ScanRecord) {
  return {
    kubernetes_version: scan.kubernetes_version,
    score: scan.score,
    score_source: scan.score_source,
    format: scan.format,
    total_checks: scan.total_checks,
    failed_checks: scan.failed_checks,
    not_run_checks: scan.not_run_checks,
    is_empty: scan.is_empty ? 1 : 0,
    vulnerability_scan: scan.vulnerability_scan ? 1 : 0,
    findings_total: findings.total,
    findings_critical: findings.critical,
    findings_high: findings.high,
    findings_medium: findings.medium,
    findings_low: findings.low,
    findings_info: findings.info,
    findings_unknown: findings.unknown,
    suppressed_findings: scan.suppressed_findings,
    images: artifacts.images,
    helm_charts: artifacts.helm_charts,
    apps: artifacts.apps,
  } satisfies Partial<Selectable<Tables['run']>>
}

type CountColumns = Pick<Selectable<Tables['run']>, `findings_${keyof FindingCounts}`>

export const findingCounts = (row: CountColumns): FindingCounts => ({
  total: row.findings_total,
  critical: row.findings_critical,
  high: row.findings_high,
  medium: row.findings_medium,
  low: row.findings_low,
  info: row.findings_info,
  unknown: row.findings_unknown,
})

export function readRunRow(row: RunRow): RunRecord {
  return {
    cluster_name: row.name,
    environment: row.environment,
    provider: row.provider,
    region: row.region,
    source: row.source,
    source_version: row.source_version,
    kubernetes_version: row.kubernetes_version,
    score: row.score,
    score_source: row.score_source,
    format: row.format,
    total_checks: row.total_checks,
    failed_checks: row.failed_checks,
    not_run_checks: row.not_run_checks,
    is_empty: row.is_empty === 1,
    vulnerability_scan: row.vulnerability_scan === 1,
    findings: findingCounts(row),
    suppressed_findings: row.suppressed_findings,
    artifacts: { images: row.images, helm_charts: row.helm_charts, apps: row.apps },
    started_at: row.started_at,
    finished_at: row.finished_at,
    duration_seconds: row.duration_seconds,
    ingested_at: row.ingested_at,
    size_bytes: row.size_bytes,
    ci: row.ci === null ? null : JSON.parse(row.ci),
  }
}
