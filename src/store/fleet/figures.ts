import { type RawBuilder, sql } from 'kysely'
import { integers, jsonTexts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { findCatalogRevision } from '../catalog/revision.ts'
import type { RunChanges } from '../findings/scanner-change.ts'
import { findingCounts } from '../runs/columns.ts'
import { findLatestOfAllSeries } from '../runs/latest-run.ts'
import { toRunGate } from '../runs/stored-run.ts'
import type { ClusterSummary, ScannerSummary } from './summary.ts'

/** A cluster with the latest run of each series, and stored figures. Times are unix seconds. */
export interface ClusterFigures {
  id: number
  publicId: string
  name: string
  environment: string
  labels: string[]
  expectedEvery: number | null
  /** Since when findings are new in `changes` of its scanners; null if not computed. */
  since: UnixSeconds | null
  /** Sorted by format; empty for a cluster without runs. */
  scanners: ScannerFigures[]
  /** Undefined if not computed since the latest run. */
  summary: ClusterSummary | undefined
  /** The run with the inventory that the summary is based on. */
  inventoryRunId: string | undefined
  /** The summary is based on the current catalog. */
  isCurrent: boolean
}

export interface ScannerFigures {
  latest: LatestRunFigures
  /** Undefined if not computed since the latest run of the cluster. */
  changes: ScannerSummary | undefined
  /** The findings that `changes` counts, unless they are stored. */
  news?: RunChanges
  /** New and regressed findings that exceptions cover; `changes` excludes them. */
  accepted?: number
  /** Critical findings of the latest run that exceptions cover. */
  acceptedCritical?: number
}

/** A run with its counts. `revision` is of its findings, `at` is in unix seconds. */
export type LatestRunFigures = ReturnType<typeof toFigures>['latest']

/** The value from the newest run that has one; null if none has. */
export function newestOf<T>(scanners: ScannerFigures[], of: (latest: LatestRunFigures) => T | null): T | null {
  const newestFirst = scanners.map(({ latest }) => latest).sort((a, b) => b.at - a.at || b.rowId - a.rowId)
  return newestFirst.map(of).find((value) => value !== null) ?? null
}

/** Provider from the newest run that names more than plain Kubernetes. */
export const providerOf = (scanners: ScannerFigures[]): string | null =>
  newestOf(scanners, ({ provider }) => (provider === 'kubernetes' ? null : provider)) ??
  newestOf(scanners, ({ provider }) => provider)

export interface FigureFilter {
  ownerId: number
  publicId?: string | undefined
  name?: string | undefined
  environment?: string | undefined
  label?: string | undefined
  /** Leaves out the scanners of clusters with a summary: reading them takes longer than the rest. */
  isBrief?: boolean
}

/** Sorted by name and environment. Uses a few queries, whose cost depends on the number of clusters and not of runs. */
export async function listClusterFigures(db: Db, filter: FigureFilter, now: number): Promise<ClusterFigures[]> {
  const revision = await findCatalogRevision(db)
  const rows = await listClusterRows(db, filter)
  const scanners = await listScanners(db, filter.isBrief ? rows.filter(({ cluster_id }) => cluster_id === null) : rows)
  return rows.map((row) => {
    const summary = row.cluster_id === null ? undefined : (row as ClusterSummary)
    const own = scanners.get(row.clusterId) ?? []
    return {
      ...row,
      id: row.clusterId,
      labels: row.labels === '[]' ? [] : JSON.parse(row.labels),
      scanners: own,
      summary,
      inventoryRunId: row.inventoryRunId ?? undefined,
      isCurrent: summary ? summary.catalog_revision === revision && summary.valid_until > now : own.length === 0,
    }
  })
}

function listClusterRows(db: Db, { ownerId, publicId, name, environment, label }: FigureFilter) {
  let query = db
    .selectFrom('cluster')
    .leftJoin('cluster_summary as summary', 'summary.cluster_id', 'cluster.id')
    .leftJoin('run as inventory', 'inventory.id', 'summary.inventory_run_id')
    .select(['cluster.id as clusterId', 'cluster.public_id as publicId', 'cluster.name', 'cluster.environment'])
    .select(['cluster.labels', 'cluster.expected_every as expectedEvery', 'inventory.run_id as inventoryRunId'])
    .selectAll('summary')
    .where('cluster.owner_id', '=', ownerId)
  if (publicId !== undefined) query = query.where('cluster.public_id', '=', publicId)
  if (name !== undefined) query = query.where('cluster.name', '=', name)
  if (environment !== undefined) query = query.where('cluster.environment', '=', environment)
  if (label !== undefined) {
    query = query.where(
      sql<boolean>`exists (select 1 from ${jsonTexts(sql`cluster.labels`, 'label')} where label.value = ${label})`,
    )
  }
  return query.orderBy('cluster.name').orderBy('cluster.environment').execute()
}

/** Keyed by the cluster's row id. Searches for the latest runs only of clusters without a summary. */
async function listScanners(db: Db, clusters: { clusterId: number; cluster_id: number | null }[]) {
  const { true: made = [], false: other = [] } = Object.groupBy(clusters, ({ cluster_id }) =>
    cluster_id === null ? 'false' : 'true',
  )
  const ids = (rows: typeof clusters) => integers(rows.map(({ clusterId }) => clusterId))
  const rows = await listLatest(db, sql<boolean>`summary.cluster_id in ${ids(made)}`)
  if (other.length > 0) {
    const latest = await findLatestOfAllSeries(db, { ids: other.map(({ clusterId }) => clusterId) })
    rows.push(...(await listLatest(db, sql<boolean>`run.id in ${integers(latest)}`)))
  }
  const byCluster = Map.groupBy(rows, ({ clusterId }) => clusterId)
  return new Map([...byCluster].map(([id, own]) => [id, own.map(toFigures)]))
}

const hasOtherRuns = sql<number>`case when exists (
    select 1 from run as other where other.series_id = run.series_id and other.is_candidate = 0 and other.id <> run.id
  ) then 1 else 0 end`

function listLatest(db: Db, condition: RawBuilder<boolean>) {
  return db
    .selectFrom('run')
    .leftJoin('scanner_summary as summary', 'summary.run_id', 'run.id')
    .select(['run.id as rowId', 'run.run_id as runId', 'run.cluster_id as clusterId', 'run.at', 'run.format'])
    .select(['run.series_id as seriesId', 'run.revision'])
    .select(['run.score', 'run.provider', 'run.region', 'run.kubernetes_version as kubernetesVersion'])
    .select(['run.total_checks as totalChecks', 'run.failed_checks as failedChecks'])
    .select(['run.not_run_checks as notRunChecks', 'run.known_faults as knownFaults'])
    .select(['run.scope_gaps as scopeGaps', 'run.is_empty'])
    .select(['run.gate_verdict', 'run.gate_at', 'run.gate_let_pass', 'run.gate_exceptions_end'])
    .select(['run.findings_total', 'run.findings_critical', 'run.findings_high', 'run.findings_medium'])
    .select(['run.findings_low', 'run.findings_info', 'run.findings_unknown'])
    .select(hasOtherRuns.as('hasOtherRuns'))
    .select(['summary.run_id', 'summary.from_run_id', 'summary.score_delta', 'summary.oldest_critical'])
    .select(['summary.new_findings', 'summary.new_critical', 'summary.new_high', 'summary.regressed_findings'])
    .select(['summary.regressed_critical', 'summary.regressed_high', 'summary.resolved_findings', 'summary.changes'])
    .where(condition)
    .orderBy('run.format')
    .orderBy('run.series_id')
    .execute()
}

type FigureRow = Awaited<ReturnType<typeof listLatest>>[number]

function toFigures(row: FigureRow) {
  const latest = { ...row, isEmpty: row.is_empty === 1, findings: findingCounts(row), gate: toRunGate(row) }
  return { latest, changes: row.run_id === null ? undefined : (row as ScannerSummary) }
}
