import type { ChannelName } from '../../contract/channels.ts'
import type { DeliveryRecord, DeliveryState } from '../../contract/delivery.ts'
import type { DeliveryLog } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { selectPage } from '../../db/page.ts'
import { notFound, ReltError } from '../../errors.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp, timestampOrNull, type UnixSeconds } from '../../util/time.ts'
import { toMessage } from './delivery.ts'
import { wakeTarget } from './delivery-target.ts'

/** Mapping to the API's states, which do not include `sending` and `dropped`. */
const publicStates: Record<DeliveryState, DeliveryLog['status']> = {
  pending: 'pending',
  sending: 'pending',
  failed: 'failed',
  dead: 'failed',
  delivered: 'delivered',
  accepted: 'delivered',
  skipped: 'skipped',
}

/** Newest first. */
export async function listDeliveryLogs(db: Db, userId: number, limit: number): Promise<DeliveryLog[]> {
  const rows = await deliveriesFor(db, userId).orderBy('delivery.id', 'desc').limit(limit).execute()
  return rows.map((row) => ({ id: row.id, ...sharedFields(row), status: publicStates[row.status], error: row.error }))
}

/** Newest first. */
export function listDeliveries(
  db: Db,
  userId: number,
  { state, channel }: { state?: DeliveryState | undefined; channel?: ChannelName | undefined },
  choice: PageChoice,
): Promise<Page<DeliveryRecord>> {
  let query = deliveriesFor(db, userId)
  if (state !== undefined) query = query.where('delivery.status', '=', state)
  if (channel !== undefined) query = query.where('delivery.channel', '=', channel)
  return selectPage(query.orderBy('delivery.id', 'desc'), choice, toDelivery)
}

/** Throws `not_found` if the delivery is not the user's. */
export async function getDelivery(db: Db, userId: number, publicId: string) {
  const row = await deliveriesFor(db, userId).where('delivery.public_id', '=', publicId).executeTakeFirst()
  if (!row) throw notFound('delivery', publicId)
  const { eventIds, digest } = toMessage(row)
  return { id: row.id, targetId: row.target_id, delivery: toDelivery(row), eventIds: eventIds ?? [], digest }
}

/** Makes a message due immediately, with all its attempts. Throws `conflict` if it never had an address. */
export async function retryDelivery(trx: Db, id: number, now: UnixSeconds) {
  const row = await trx
    .updateTable('delivery')
    .set({ status: 'pending', not_before: now, attempts: 0, finished_at: null, error: null, http_status: null })
    .where('id', '=', id)
    .where('status', '!=', 'sending')
    .where('target_id', 'is not', null)
    .returning('target_id')
    .executeTakeFirst()
  const target = row?.target_id
  if (target) return wakeTarget(trx, target, now)
  const { status } = await trx.selectFrom('delivery').select('status').where('id', '=', id).executeTakeFirstOrThrow()
  if (status !== 'sending') {
    throw new ReltError('conflict', 'This notification has no address to send to.', {
      hint: 'Set up its channel. The next event is sent there.',
    })
  }
}

function deliveriesFor(db: Db, userId: number) {
  return db
    .selectFrom('delivery')
    .leftJoin('project', 'project.id', 'delivery.project_id')
    .selectAll('delivery')
    .select('project.name')
    .where('user_id', '=', userId)
}

type DeliveryRow = Awaited<ReturnType<ReturnType<typeof deliveriesFor>['execute']>>[number]

function toDelivery(row: DeliveryRow): DeliveryRecord {
  return {
    delivery_id: row.public_id,
    ...sharedFields(row),
    state: row.status,
    reason: row.error,
    next_attempt_at: row.status === 'sending' ? null : timestampOrNull(row.not_before),
    finished_at: timestampOrNull(row.finished_at),
  }
}

function sharedFields({ created_at, kind, channel, target, subscription_id, project_id, ...row }: DeliveryRow) {
  const { name, version, attempts, http_status } = row
  const about = { subscription_id, product_id: project_id, name, version }
  return { created_at: formatTimestamp(created_at), kind, channel, target, ...about, attempts, http_status }
}
