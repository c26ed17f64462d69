import type { Run } from '../../contract/cluster-report.ts'
import type { RunGate } from '../../contract/gate-verdict.ts'
import type { FindingCounts } from '../../contract/scan-finding.ts'
import type { Db } from '../../db/open.ts'
import { toRun } from '../../reports/run-record.ts'
import { formatTimestamp } from '../../util/time.ts'
import { type RunRow, readRunRow } from './columns.ts'

/** A run with its position in the history of its cluster. */
export interface StoredRun {
  id: number
  clusterId: number
  /** Runs of the same series are compared. */
  seriesId: number
  /** Unix seconds; sorts the runs of a cluster, with `id` as tiebreaker. */
  at: number
  /** Number of different findings by severity, worst first. */
  distinct: number[]
  /** Of its findings. */
  revision: number
  /** How many of its findings it did not look at; undefined: none. */
  carried?: FindingCounts
  run: Run
}

/** Runs with the name and environment of their cluster. */
export function selectRuns(db: Db) {
  return db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .selectAll('run')
    .select(['cluster.name', 'cluster.environment'])
}

export function runsFor(db: Db, ownerId: number) {
  return selectRuns(db).where('cluster.owner_id', '=', ownerId)
}

export const newestOfSeries = (db: Db, seriesId: number) =>
  selectRuns(db)
    .where('run.series_id', '=', seriesId)
    .where('run.is_candidate', '=', 0)
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')

export function newestFirst(db: Db, clusterIds: number[]) {
  return selectRuns(db).where('run.cluster_id', 'in', clusterIds).orderBy('run.at', 'desc').orderBy('run.id', 'desc')
}

type GateRow = Pick<RunRow, 'gate_verdict' | 'gate_at' | 'gate_let_pass' | 'gate_exceptions_end'>

/** The verdict of a run, as shown in lists. */
export function toRunGate(row: GateRow): RunGate | null {
  const { gate_verdict: verdict, gate_at: at, gate_let_pass: let_pass, gate_exceptions_end: exceptions_end } = row
  if (verdict === null || at === null) return null
  return { verdict, at: formatTimestamp(at), ...(let_pass !== null && { limits: { let_pass, exceptions_end } }) }
}

export function toStoredRun(row: RunRow): StoredRun {
  const distinct = JSON.parse(row.distinct_findings)
  const gate = toRunGate({ ...row, gate_at: row.gate_at ?? row.ingested_at })
  const { scope_gaps, gaps_key, known_faults, is_candidate } = row
  const carried: FindingCounts | undefined = row.carried === null ? undefined : JSON.parse(row.carried)
  const run = {
    ...toRun(row.run_id, readRunRow(row), gate),
    scope_gaps,
    gaps_key,
    ...(is_candidate === 1 && { is_candidate: true as const }),
    ...(known_faults > 0 && { known_faults }),
    ...(carried && { not_looked_at_findings: carried.total }),
  }
  const place = { clusterId: row.cluster_id, seriesId: row.series_id, at: row.at }
  return { id: row.id, ...place, distinct, revision: row.revision, run, ...(carried && { carried }) }
}
