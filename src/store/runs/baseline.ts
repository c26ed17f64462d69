import { type Insertable, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { upsert } from '../../db/upsert.ts'
import type { StoredRun } from './stored-run.ts'

/** A baseline of a series, with what its run tells. */
export type BaselineRow = Awaited<ReturnType<typeof listBaselines>>[number]

/** Baselines of the series of a run that are not later than it, latest first. */
export function listBaselines(db: Db, { id, seriesId, at }: Pick<StoredRun, 'id' | 'seriesId' | 'at'>) {
  return db
    .selectFrom('gate_baseline as baseline')
    .innerJoin('run', 'run.id', 'baseline.run_id')
    .select(['baseline.run_id as runRowId', 'rule', 'until', 'held', 'is_begun', 'baseline.by', 'run.ci', 'run.at'])
    .where('baseline.series_id', '=', seriesId)
    .where('run.is_candidate', '=', 0)
    .where(sql<boolean>`(run.at, run.id) <= (${at}, ${id})`)
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')
    .execute()
}

/**
 * The first run of the series of a run; undefined if it has candidates only. `isInHistory`: a gate had judged another subject of
 * the cluster before, in another build.
 */
export async function findFirstRuns(
  db: Db,
  { id, seriesId, clusterId, at, run: { ci } }: StoredRun,
): Promise<{ first: number | undefined; isInHistory: boolean }> {
  const ofState = db.selectFrom('run').where('is_candidate', '=', 0)
  const first = await ofState
    .select(['id', 'at'])
    .where('series_id', '=', seriesId)
    .where(sql<boolean>`(at, id) <= (${at}, ${id})`)
    .orderBy('at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  const others = await ofState
    .select('ci')
    .where('cluster_id', '=', clusterId)
    .where('series_id', '!=', seriesId)
    .where('gate_verdict', 'is not', null)
    .where(sql<boolean>`(at, id) < (${first?.at ?? at}, ${first?.id ?? id})`)
    .orderBy('at')
    .orderBy('id')
    .limit(20)
    .execute()
  const isOfBuild = (text: string | null) =>
    ci?.build_url !== undefined && JSON.parse(text ?? '{}').build_url === ci.build_url
  return { first: first?.id, isInHistory: others.some((other) => !isOfBuild(other.ci)) }
}

/** What a rule no longer passes. */
export async function removeBaseline(trx: Db, runRowId: number, rule: string): Promise<void> {
  await trx.deleteFrom('gate_baseline').where('run_id', '=', runRowId).where('rule', '=', rule).execute()
}

export async function saveBaseline(
  trx: Db,
  { run_id, rule, ...row }: Omit<Insertable<Tables['gate_baseline']>, 'id'>,
): Promise<void> {
  await upsert(trx, 'gate_baseline', { run_id, rule }, row)
}

/** The runs that these makers took in. */
export async function listMadeBaselines(db: Db, makers: string[]): Promise<number[]> {
  const rows = await db.selectFrom('gate_baseline').select('run_id').where('made_by', 'in', makers).execute()
  return rows.map(({ run_id }) => run_id)
}

/** Removes the baselines of a series that are not earlier than a run. */
export async function removeBaselinesSince(
  trx: Db,
  { id, seriesId, at }: Pick<StoredRun, 'id' | 'seriesId' | 'at'>,
): Promise<void> {
  const since = trx.selectFrom('run').select('id').where('series_id', '=', seriesId)
  await trx
    .deleteFrom('gate_baseline')
    .where('series_id', '=', seriesId)
    .where('run_id', 'in', since.where(sql<boolean>`(at, id) >= (${at}, ${id})`))
    .execute()
}

/** Whether somebody took in what the run has, without an end. */
export function isTakenIn(db: Db, runRowId: number): Promise<boolean> {
  const taken = db.selectFrom('gate_baseline').where('run_id', '=', runRowId).where('rule', '=', '')
  return hasRows(taken.where('until', 'is', null))
}

/** The condition that a run is the latest baseline of a rule, of a subject that has not ended. */
export const isPinned = sql<boolean>`exists (
  select 1 from gate_baseline as own join series on series.id = own.series_id and series.ended_at is null
  where own.run_id = run.id and not exists (
    select 1 from gate_baseline as other join run as later on later.id = other.run_id
    where other.series_id = own.series_id and other.rule = own.rule and (later.at, later.id) > (run.at, run.id)))`
