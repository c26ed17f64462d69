import type { ClusterTrend, Debt, TrendPoint } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { assessArtifacts, debtFor, knownBy, lookupKeys, prepareCatalog } from '../../freshness/index.ts'
import { getParts } from '../../store/runs/part.ts'
import { findRowIds } from '../../store/runs/run.ts'
import { parseTimestamp } from '../../util/time.ts'
import { findCatalog } from '../catalog/view.ts'
import { mergeArtifacts, readContext } from '../runs/context.ts'
import { samplePoints } from '../runs/sample-points.ts'
import { withoutAdvisories } from './known-advisories.ts'
import type { RunningQuery } from './running-artifacts.ts'

/** Adds to each point of the trends what was outdated at the time of the run, by releases published until then. */
export async function withDebt(
  db: Db,
  trends: ClusterTrend[],
  asking: Omit<RunningQuery, 'ownerId'>,
): Promise<ClusterTrend[]> {
  const debts = await debtsFor(db, samplePoints(trends).flat(), asking)
  return trends.map((trend) => ({
    ...trend,
    points: trend.points.map((point) => ({ ...point, debt: debts.get(point.run_id) ?? null })),
  }))
}

async function debtsFor(
  db: Db,
  points: TrendPoint[],
  { vault, now }: Omit<RunningQuery, 'ownerId'>,
): Promise<Map<string, Debt>> {
  if (points.length === 0) return new Map()
  const rowIds = await findRowIds(
    db,
    points.map((point) => point.run_id),
  )
  const parts = await getParts(db, [...rowIds.values()], 'context')
  const opened = await vault()
  const runs = points.map(({ run_id, at }) => {
    const { artifacts } = readContext(opened, run_id, parts.get(rowIds.get(run_id)!)!)
    return { run_id, at: parseTimestamp(at)!, artifacts }
  })
  const catalog = await findCatalog(
    db,
    lookupKeys(mergeArtifacts(runs.map(({ artifacts }) => artifacts))),
    now,
    withoutAdvisories,
  )
  return new Map(
    runs.map(({ run_id, at, artifacts }) => {
      return [run_id, debtFor(assessArtifacts(artifacts, prepareCatalog(knownBy(at, catalog), at)))]
    }),
  )
}
