import type { Db } from '../../db/open.ts'
import { takeLock } from '../../db/transaction.ts'
import type { EventData, LoggedEvent } from '../../delivery/rules.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface NewEvent {
  type: LoggedEvent['type'] | 'report.ingested' | 'target.disabled'
  at: UnixSeconds
  ownerId?: number
  projectId?: number
  clusterId?: number
  /** Identifies an event that is recorded only once. */
  key?: string
  data: EventData
}

/**
 * Records events. Call it in the transaction of the change, best at its end: readers of the log wait for its commit. An
 * event with a known key is not added again.
 */
export async function recordEvents(trx: Db, events: NewEvent[]) {
  if (events.length === 0) return
  await takeLock(trx, 'events', { shared: true })
  await trx
    .insertInto('event_log')
    .values(events.map(toRow))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

/** Returns the event's id. */
export async function recordEvent(trx: Db, event: Omit<NewEvent, 'key'>) {
  await takeLock(trx, 'events', { shared: true })
  const { id } = await trx.insertInto('event_log').values(toRow(event)).returning('id').executeTakeFirstOrThrow()
  return id
}

function toRow({ type, at, ownerId, projectId, clusterId, key, data }: NewEvent) {
  return {
    type,
    at,
    owner_id: ownerId ?? null,
    project_id: projectId ?? null,
    cluster_id: clusterId ?? null,
    key: key ?? null,
    data: JSON.stringify(data),
  }
}
