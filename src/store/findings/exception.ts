import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { greater, lesser } from '../../db/dialect.ts'
import { builtOnce } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { countRows, selectPage } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import type { Page, PageChoice } from '../../util/page.ts'

type Row = Selectable<Tables['exception']>

/** The columns of a new exception. Its content is sealed. */
export type NewException = Omit<Row, 'id' | 'owner_id'>

/** An exception as stored. If a release ended it before its last day, `ends_at` is that time. */
export type ExceptionRow = Omit<NewException, 'released_after' | 'made_by'> & {
  project_slug: string | null
  project_name: string | null
  /** The release that ends it, if known. */
  next_version: string | null
}

export async function insertException(trx: Db, ownerId: number, row: NewException): Promise<void> {
  await trx
    .insertInto('exception')
    .values({ ...row, owner_id: ownerId })
    .execute()
}

export async function getException(db: Db, ownerId: number, exceptionId: string): Promise<ExceptionRow> {
  const row = await exceptionsFor(db, ownerId).where('exception_id', '=', exceptionId).executeTakeFirst()
  if (!row) throw notFound('exception', exceptionId)
  return row
}

/** Limits for the end time of exceptions, in unix seconds. */
export interface EndBounds {
  after?: number | undefined
  /** End, inclusive. */
  until?: number | undefined
}

/** Sorted by end time, earliest first. */
export function listExceptions(
  db: Db,
  ownerId: number,
  bounds: EndBounds,
  choice: PageChoice,
): Promise<Page<ExceptionRow>> {
  const within = exceptionsFor(db, ownerId).where((eb) => endsWithin(eb, bounds))
  const ordered = within.orderBy(endsAt).orderBy('exception.id')
  return selectPage(
    ordered,
    choice,
    (row) => row,
    () => countExceptions(db, ownerId, bounds),
  )
}

export function countExceptions(db: Db, ownerId: number, bounds: EndBounds): Promise<number> {
  return countRows(
    db
      .selectFrom('exception')
      .where('owner_id', '=', ownerId)
      .where((eb) => endsWithin(eb, bounds)),
  )
}

/** `now` in unix seconds. */
export function listActive(db: Db, ownerId: number, now: number): Promise<ExceptionRow[]> {
  return activeFor(db, { ownerId, now })
}

const activeFor = builtOnce((db, { ownerId, now }: { ownerId: number; now: number }) =>
  exceptionsFor(db, ownerId)
    .where((eb) => endsWithin(eb, { after: now }))
    .orderBy('exception.id'),
)

/** Exceptions of all owners. Leaves out those created for a few days only, which were always about to end. */
export async function listEndingExceptions(db: Db, { after, until }: { after: number; until: number }) {
  return db
    .selectFrom('exception')
    .select(['exception_id as exceptionId', 'owner_id as ownerId', 'ends_at as endsAt'])
    .where('ends_at', '<=', until)
    .where('created_at', '<', (eb) => eb('ends_at', '-', until - after))
    .where((eb) => endsWithin(eb, { after }))
    .orderBy('ends_at')
    .execute()
}

/** Active exceptions that these makers added. */
export function listMadeExceptions(db: Db, makers: string[], now: number) {
  return db
    .selectFrom('exception')
    .select(['exception_id', 'owner_id', 'expires_on'])
    .where('made_by', 'in', makers)
    .where((eb) => endsWithin(eb, { after: now }))
    .orderBy('id')
    .execute()
}

/** Does nothing if it has already ended. */
export async function endException(
  trx: Db,
  ownerId: number,
  exceptionId: string,
  { now, login }: { now: number; login: string },
): Promise<void> {
  await trx
    .updateTable('exception')
    .set({ ends_at: now, ended_by: login, made_by: null })
    .where('owner_id', '=', ownerId)
    .where('exception_id', '=', exceptionId)
    .where((eb) => endsWithin(eb, { after: now }))
    .execute()
}

/** Moves all exceptions to another owner; returns how many. */
export async function moveExceptions(trx: Db, from: number, to: number): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('exception')
    .set({ owner_id: to })
    .where('owner_id', '=', from)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

function exceptionsFor(db: Db, ownerId: number) {
  return db
    .selectFrom('exception')
    .leftJoin('project', 'project.id', 'exception.release_project_id')
    .select(['exception_id', 'exception.created_at', 'created_by', 'expires_on', 'ended_by', 'key_id', 'sealed'])
    .select(['release_project_id', 'project.slug as project_slug', 'project.name as project_name'])
    .select([endsAt.as('ends_at'), nextVersion.as('next_version')])
    .where('owner_id', '=', ownerId)
}

/** Releases that end an exception. If the project is null, the comparison is null too and matches none. */
const nextReleases = sql`from release where project_id = exception.release_project_id
  and published_at > exception.released_after and type != 'pre' and fault is null`

const nextVersion = sql<string | null>`(select version ${nextReleases} order by created_at, published_at, id limit 1)`

/** The time at which a release that ends it became known. The bundled catalog can be older than the exception. */
const releasedAt = greater(sql`exception.created_at`, sql`(select min(created_at) ${nextReleases})`)

const endsAt = sql<number>`coalesce(${lesser(sql`exception.ends_at`, releasedAt)}, exception.ends_at)`

function endsWithin(eb: ExpressionBuilder<Tables, 'exception'>, { after, until }: EndBounds) {
  return eb.and([
    // The first condition allows SQLite to use the index.
    ...(after === undefined ? [] : [eb('exception.ends_at', '>', after), eb(endsAt, '>', after)]),
    ...(until === undefined ? [] : [eb(endsAt, '<=', until)]),
  ])
}
