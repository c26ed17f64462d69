import type { Selectable } from 'kysely'
import type { FindingCounts } from '../../contract/scan-finding.ts'
import type { Tables } from '../../db/schema/index.ts'
import type { RunRecord, ScanRecord } from '../../reports/run-record.ts'

/** A run with the name and environment of its cluster. */
export type RunRow = Selectable<Tables['run']> & { name: string; environment: string }

export function runColumns({ cluster_name: _, environment: __, ci, ...scan }: RunRecord) {
  return {
    ...scanColumns(scan),
    ci: ci === null ? null : JSON.stringify(ci),
  } satisfies Partial<Selectable<Tables['run']>>
}

function scanColumns<T extends ScanRecord>(record: T) {
  const { findings, artifacts, is_empty, vulnerability_scan, ...scan } = record
  return {
    ...scan,
    ...artifacts,
    is_empty: is_empty ? 1 : 0,
    vulnerability_scan: vulnerability_scan ? 1 : 0,
    ...countColumns(findings),
  }
}

type CountColumns = Pick<Selectable<Tables['run']>, `findings_${keyof FindingCounts}`>

export const countColumns = (findings: FindingCounts): CountColumns => ({
  findings_total: findings.total,
  findings_critical: findings.critical,
  findings_high: findings.high,
  findings_medium: findings.medium,
  findings_low: findings.low,
  findings_info: findings.info,
  findings_unknown: findings.unknown,
})

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
    ...row,
    cluster_name: row.name,
    is_empty: row.is_empty === 1,
    vulnerability_scan: row.vulnerability_scan === 1,
    findings: findingCounts(row),
    artifacts: { images: row.images, helm_charts: row.helm_charts, apps: row.apps },
    ci: row.ci === null ? null : JSON.parse(row.ci),
  }
}
