import type { SuppressedFinding } from '../contract/cluster-report.ts'
import type { Finding } from '../contract/scan-finding.ts'
import { type SuppressedRow, severityFor } from './finding-index.ts'
import type { Leftover } from './pair-changed.ts'
import type { RunFindings } from './run-findings.ts'

type SuppressionIndex = Pick<RunFindings, 'index'>

/** Findings suppressed in `to` but not in `from`. Removes them from `gone`, because they are not resolved. */
export function suppressedSince(from: SuppressionIndex, to: SuppressionIndex, gone: Leftover[]): SuppressedFinding[] {
  const since = moreIn(to, from)
  takeOut(gone, since)
  return [...since.values()].map(({ row, rows }) => ({ ...toFinding(to, row), count: rows, ...why(row) }))
}

/** Findings suppressed in `from` and open in `to`. Removes them from `came`, because they are not new. */
export function returnedOf(from: SuppressionIndex, to: SuppressionIndex, came: Leftover[]): Finding[] {
  return takeOut(came, moreIn(from, to)).map(({ finding, rows }) => ({ ...finding, count: rows }))
}

/** All suppressed findings of a run. */
export function listSuppressed(run: SuppressionIndex): SuppressedFinding[] {
  return run.index.suppressed.map((row) => ({ ...toFinding(run, row), ...why(row) }))
}

function moreIn(run: SuppressionIndex, other: SuppressionIndex): Map<string, { row: SuppressedRow; rows: number }> {
  const known = new Map(other.index.suppressed.map(({ fingerprint, count }) => [fingerprint, count]))
  const more = run.index.suppressed.map((row) => ({ row, rows: row.count - (known.get(row.fingerprint) ?? 0) }))
  return new Map(more.filter(({ rows }) => rows > 0).map((each) => [each.row.fingerprint, each]))
}

function takeOut(
  leftovers: Leftover[],
  suppressed: Map<string, { rows: number }>,
): { finding: Finding; rows: number }[] {
  if (suppressed.size === 0) return []
  return leftovers.flatMap((left) => {
    const rows = Math.min(left.rows, suppressed.get(left.finding.fingerprint)?.rows ?? 0)
    left.rows -= rows
    return rows > 0 ? { finding: left.finding, rows } : []
  })
}

function toFinding({ index }: SuppressionIndex, row: SuppressedRow): Finding {
  const { fingerprint, check, rank, namespace, resource, message, value, count } = row
  const { id, name, category } = index.checks[check]!
  const severity = severityFor(rank)
  return { fingerprint, check_id: id, check_name: name, category, severity, namespace, resource, message, value, count }
}

const why = ({ reason, until }: SuppressedRow) => ({ reason, until })
