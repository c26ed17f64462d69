import type { ExpressionBuilder, Selectable } from 'kysely'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import { type Page, type PageChoice, pageOf } from '../../util/page.ts'

/** An exception as it lies in the store: sealed. */
export type ExceptionRow = Omit<Selectable<Tables['exception']>, 'id' | 'owner_id'>

export async function insertException(trx: Db, ownerId: number, row: ExceptionRow): Promise<void> {
  await trx
    .insertInto('exception')
    .values({ ...row, owner_id: ownerId })
    .execute()
}

export async function getException(db: Db, ownerId: number, exceptionId: string): Promise<ExceptionRow> {
  const row = await exceptionsOf(db, ownerId).where('exception_id', '=', exceptionId).executeTakeFirst()
  if (!row) throw notFound('exception', exceptionId)
  return row
}

/** Bounds on the time at which exceptions end, in unix seconds. */
export interface EndBounds {
  after?: number | undefined
  /** Inclusive. */
  until?: number | undefined
}

/** Those that end first come first. */
export async function listExceptions(
  db: Db,
  ownerId: number,
  bounds: EndBounds,
  choice: PageChoice,
): Promise<Page<ExceptionRow>> {
  const within = exceptionsOf(db, ownerId).where((eb) => endsWithin(eb, bounds))
  const rows = await within
    .orderBy('ends_at')
    .orderBy('id')
    .limit(choice.perPage)
    .offset((choice.page - 1) * choice.perPage)
    .execute()
  return pageOf(rows, choice, async () => ({ total: await countExceptions(db, ownerId, bounds) }))
}

export async function countExceptions(db: Db, ownerId: number, bounds: EndBounds): Promise<number> {
  const { count } = await db
    .selectFrom('exception')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('owner_id', '=', ownerId)
    .where((eb) => endsWithin(eb, bounds))
    .executeTakeFirstOrThrow()
  return count
}

/** `now` in unix seconds. */
export function listActive(db: Db, ownerId: number, now: number): Promise<ExceptionRow[]> {
  return exceptionsOf(db, ownerId)
    .where((eb) => endsWithin(eb, { after: now }))
    .orderBy('id')
    .execute()
}

/** Active exceptions of an owner that end by a time, the first to end first. Times are unix seconds. */
export function listExpiring(db: Db, ownerId: number, { now, until }: { now: number; until: number }) {
  return exceptionsOf(db, ownerId)
    .where((eb) => endsWithin(eb, { after: now, until }))
    .orderBy('ends_at')
    .orderBy('id')
    .execute()
}

/** Reads those of all owners. Exceptions that were added for a few days only are left out: they were always about to end. */
export async function listEndingExceptions(db: Db, { after, until }: { after: number; until: number }) {
  return db
    .selectFrom('exception')
    .select(['exception_id as exceptionId', 'owner_id as ownerId', 'ends_at as endsAt'])
    .where('ends_at', '>', after)
    .where('ends_at', '<=', until)
    .where('created_at', '<', (eb) => eb('ends_at', '-', until - after))
    .orderBy('ends_at')
    .execute()
}

/** Does nothing to one that has ended. */
export async function endException(
  trx: Db,
  ownerId: number,
  exceptionId: string,
  { now, login }: { now: number; login: string },
): Promise<void> {
  await trx
    .updateTable('exception')
    .set({ ends_at: now, ended_by: login })
    .where('owner_id', '=', ownerId)
    .where('exception_id', '=', exceptionId)
    .where('ends_at', '>', now)
    .execute()
}

/** Gives all exceptions of an owner to another; returns how many. */
export async function moveExceptions(trx: Db, from: number, to: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('exception')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

function exceptionsOf(db: Db, ownerId: number) {
  return db
    .selectFrom('exception')
    .select(['exception_id', 'created_at', 'created_by', 'expires_on', 'ends_at', 'ended_by', 'key_id', 'sealed'])
    .where('owner_id', '=', ownerId)
}

function endsWithin(eb: ExpressionBuilder<Tables, 'exception'>, { after, until }: EndBounds) {
  return eb.and([
    ...(after === undefined ? [] : [eb('ends_at', '>', after)]),
    ...(until === undefined ? [] : [eb('ends_at', '<=', until)]),
  ])
}
