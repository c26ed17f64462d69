import type { CheckTrend, ClusterTrend, TrendPoint } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { checkAt, countAt, recordLength } from '../../reports/finding-records.ts'
import { getFindingRecords } from '../../store/runs/records.ts'
import { findRowIds } from '../../store/runs/run.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { openContext } from './context.ts'
import { openGuidance } from './guidance.ts'
import { samplePoints } from './sample-points.ts'

/** Adds to the trends which checks changed, and blockers for AKS Automatic. The runs must be indexed by current rules. */
export async function withChecks(db: Db, trends: ClusterTrend[], openVault: Unlock): Promise<ClusterTrend[]> {
  const sampled = samplePoints(trends)
  const ids = sampled.flat().map(({ run_id }) => run_id)
  if (ids.length === 0) return trends.map((trend) => ({ ...trend, checks: [] }))
  const [vault, rowIds] = [await openVault(), await findRowIds(db, ids)]
  const result: ClusterTrend[] = []
  for (const [i, trend] of trends.entries()) {
    const counted = new Map<string, CheckCounts>()
    const blockers = new Map<string, number | null>()
    for (const { run_id } of sampled[i]!) {
      // A run may have been deleted in the meantime.
      const rowId = rowIds.get(run_id)
      if (rowId === undefined) continue
      counted.set(run_id, await countChecks(db, vault, { id: rowId, runId: run_id }))
      if (trend.format === 'kubebuddy')
        blockers.set(run_id, await blockersFor(db, vault, { id: rowId, run: { run_id } }))
    }
    const points = trend.points.map((point) => ({ ...point, aks_blockers: blockers.get(point.run_id) ?? null }))
    result.push({ ...trend, points, checks: changedChecks(trend.points, counted) })
  }
  return result
}

/** Null if they were not assessed. */
async function blockersFor(db: Db, vault: Vault, run: Parameters<typeof openGuidance>[2]): Promise<number | null> {
  const { aksReadiness } = await openGuidance(db, vault, run)
  return aksReadiness === null || aksReadiness.skipped ? null : aksReadiness.blocker_count
}

/** Check id → name and number of rows. */
type CheckCounts = Map<string, { name: string; rows: number }>

async function countChecks(db: Db, vault: Vault, { id, runId }: { id: number; runId: string }): Promise<CheckCounts> {
  const { checks, checksNotRun } = await openContext(db, vault, id, runId)
  const records = await getFindingRecords(db, id)
  const own = checks.filter(({ since }) => since === undefined)
  const counts: CheckCounts = new Map(own.map((check) => [check.id, { name: check.name, rows: 0 }]))
  for (let at = 0; at < records.length; at += recordLength) {
    const { id, since } = checks[checkAt(records, at)]!
    if (since === undefined) counts.get(id)!.rows += countAt(records, at)
  }
  for (const check of checksNotRun) counts.delete(check.id)
  return counts
}

function changedChecks(points: TrendPoint[], counted: Map<string, CheckCounts>): CheckTrend[] {
  const names = new Map([...counted.values()].flatMap((counts) => [...counts].map(([id, { name }]) => [id, name])))
  const trends = [...names].map(([check_id, check_name]) => {
    const findings = points.map(({ run_id }) => counted.get(run_id)?.get(check_id)?.rows ?? null)
    const known = findings.filter((rows) => rows !== null)
    return { check_id, check_name, findings, span: Math.max(...known) - Math.min(...known) }
  })
  return trends
    .filter(({ span }) => span > 0)
    .sort((a, b) => b.span - a.span || (a.check_id < b.check_id ? -1 : 1))
    .map(({ span: _, ...trend }) => trend)
}
