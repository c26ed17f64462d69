import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import type { UnixSeconds } from '../../util/time.ts'

export type Occurrence = Selectable<Tables['agent_occurrence']>

export type NewOccurrence = Omit<Insertable<Tables['agent_occurrence']>, 'count' | 'until_at'> &
  Partial<Pick<Occurrence, 'count' | 'until_at'>>

/** The state and details with which an occurrence ended. */
export type OccurrenceEnd = Pick<Occurrence, 'state'> &
  Partial<Pick<Occurrence, 'run_id' | 'score' | 'verdict' | 'exit_code' | 'detail'>>

/** Does not insert an instant of the schedule twice, for example after the clock was set back. */
export async function addOccurrence(trx: Db, occurrence: NewOccurrence) {
  const row = { until_at: occurrence.due_at, count: 1, ...occurrence }
  await trx
    .insertInto('agent_occurrence')
    .values(row)
    .onConflict((conflict) => conflict.columns(['job', 'due_at']).where('cause', '=', sql.lit('schedule')).doNothing())
    .execute()
}

/** Waiting and running occurrences, by due time. */
export async function listOpen(db: Db): Promise<Occurrence[]> {
  return db
    .selectFrom('agent_occurrence')
    .selectAll()
    .where(sql<boolean>`state in ('pending', 'running')`)
    .orderBy('due_at')
    .orderBy('id')
    .execute()
}

export interface Lease {
  owner: string
  until: UnixSeconds
}

/** Claims a waiting occurrence. False if another agent was first. */
export async function claimOccurrence(db: Db, id: number, { owner, until }: Lease, now: UnixSeconds) {
  const { numUpdatedRows } = await db
    .updateTable('agent_occurrence')
    .set((eb) => ({ state: 'running', owner, lease_until: until, started_at: now, attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False if the lease was lost. */
export async function renewLease(db: Db, id: number, { owner, until }: Lease) {
  const { numUpdatedRows } = await db
    .updateTable('agent_occurrence')
    .set({ lease_until: until })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns an occurrence to the waiting ones, because its agent stopped or lost its lease. */
export async function releaseOccurrence(trx: Db, { id, owner }: Pick<Occurrence, 'id' | 'owner'>) {
  await trx
    .updateTable('agent_occurrence')
    .set({ state: 'pending', owner: null, lease_until: null })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', '=', 'running')
    .execute()
}

/** Ends an occurrence of this owner; null: a waiting one. False if the owner has lost it. */
export async function endOccurrence(
  db: Db,
  { id, owner }: Pick<Occurrence, 'id' | 'owner'>,
  end: OccurrenceEnd,
  now: UnixSeconds,
) {
  const { numUpdatedRows } = await db
    .updateTable('agent_occurrence')
    .set({ ...end, finished_at: now, owner: null, lease_until: null })
    .where('id', '=', id)
    .where('owner', owner === null ? 'is' : '=', owner)
    .where('state', 'in', ['pending', 'running'])
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Newest first. */
export async function listHistory(db: Db, options: { job?: string | undefined; limit: number }): Promise<Occurrence[]> {
  const { job, limit } = options
  return db
    .selectFrom('agent_occurrence')
    .selectAll()
    .$if(job !== undefined, (query) => query.where('job', '=', job!))
    .orderBy('due_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The last ended occurrence of each job and state. */
export async function listLastEnded(db: Db): Promise<Occurrence[]> {
  return db
    .selectFrom('agent_occurrence')
    .selectAll()
    .where(
      'id',
      'in',
      db
        .selectFrom('agent_occurrence')
        .select((eb) => eb.fn.max('id').as('id'))
        .where('finished_at', 'is not', null)
        .groupBy(['job', 'state']),
    )
    .execute()
}

/** Ended occurrences by job and outcome, with the time at which the last of them ended. */
export function countEnded(db: Db) {
  return db
    .selectFrom('agent_occurrence')
    .select(['job', 'state'])
    .select(sql<number>`sum(coalesce(count, 101))`.as('count'))
    .select(sql<number>`max(finished_at)`.as('lastAt'))
    .where('finished_at', 'is not', null)
    .groupBy(['job', 'state'])
    .orderBy('job')
    .orderBy('state')
    .execute()
}

export async function removeHistoryBefore(db: Db, before: UnixSeconds) {
  await db.deleteFrom('agent_occurrence').where('finished_at', '<', before).execute()
}
