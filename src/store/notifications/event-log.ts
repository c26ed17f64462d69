import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import { isShared } from '../../db/kind.ts'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import { write } from '../../db/transaction.ts'
import type { EventData, LoggedEvent } from '../../delivery/rules.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { NewEvent } from './record-event.ts'

/**
 * An event of any type, including `report.ingested`, for runs to compare, and `target.disabled`, whose message is created
 * with it.
 */
export type StoredEvent = Omit<LoggedEvent, 'type'> & { type: NewEvent['type']; clusterId: number | null }

interface EventFilter {
  /** Only ids greater than this. */
  after?: number
  /** Only ids up to this one. */
  upTo?: number
  limit?: number
}

/** In order of recording. */
export async function listEvents(db: Db, { after, upTo, limit }: EventFilter): Promise<StoredEvent[]> {
  let query = eventRows(db)
  if (after !== undefined) query = query.where('event_log.id', '>', after)
  if (upTo !== undefined) query = query.where('event_log.id', '<=', upTo)
  query = query.orderBy('event_log.id')
  const rows = await (limit === undefined ? query : query.limit(limit)).execute()
  return rows.map(toEvent)
}

/** Sorted by id. Omits expired events. */
export async function findEvents(db: Db, ids: readonly number[]): Promise<StoredEvent[]> {
  const rows = await eventRows(db)
    .where(sql<boolean>`event_log.id in ${integers(ids)}`)
    .execute()
  const byId = new Map(rows.map((row) => [row.id, toEvent(row)]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export function hasEventsAfter(db: Db, id: number) {
  return hasRows(db.selectFrom('event_log').where('id', '>', id))
}

/**
 * The largest id up to which all events are committed; 0 if none. Servers record events concurrently, and a transaction can
 * commit after one with larger ids, so this waits for transactions that are recording.
 */
export async function lastSettledEvent(db: Db) {
  const find = async (trx: Db) => {
    const { id } = await trx
      .selectFrom('event_log')
      .select((eb) => eb.fn.max<number | null>('id').as('id'))
      .executeTakeFirstOrThrow()
    return id ?? 0
  }
  return isShared(db) ? write(db, 'events', find) : find(db)
}

/** The largest settled id for which all events up to it are not later than a time; 0 if none. */
export async function lastEventBy(db: Db, until: UnixSeconds, after: number) {
  const settled = await lastSettledEvent(db)
  const later = await db
    .selectFrom('event_log')
    .select((eb) => eb.fn.min<number | null>('id').as('id'))
    .where('id', '>', after)
    .where('at', '>', until)
    .executeTakeFirstOrThrow()
  return Math.max(after, later.id === null ? settled : Math.min(settled, later.id - 1))
}

function eventRows(db: Db) {
  return db
    .selectFrom('event_log')
    .leftJoin('cluster', 'cluster.id', 'event_log.cluster_id')
    .select(['event_log.id', 'event_log.type', 'event_log.at', 'event_log.owner_id as ownerId', 'event_log.data'])
    .select(['event_log.project_id as projectId', 'event_log.cluster_id as clusterId'])
    .select(['cluster.name', 'cluster.environment', 'cluster.labels'])
}

type EventRow = Awaited<ReturnType<ReturnType<typeof eventRows>['execute']>>[number]

function toEvent(row: EventRow): StoredEvent {
  const { id, at, ownerId, projectId, clusterId } = row
  const type = row.type as StoredEvent['type']
  const data = JSON.parse(row.data) as EventData
  return { id, type, at, ownerId, projectId, clusterId, cluster: clusterFor(row, data), data }
}

/** The cluster under its current name. */
function clusterFor({ name, environment, labels }: EventRow, data: EventData): StoredEvent['cluster'] {
  if (name !== null) return { name, environment: environment!, labels: JSON.parse(labels!) as string[] }
  return data.cluster === undefined ? null : { name: data.cluster, environment: data.environment!, labels: [] }
}
