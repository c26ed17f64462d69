import type { ChannelName } from '../contract/channels.ts'
import type { DeliveryKind, DeliveryLog } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import type { Secret } from '../util/secret.ts'
import { formatTimestamp } from '../util/time.ts'

export interface NewDelivery {
  kind: DeliveryKind
  channel: ChannelName
  /** Stored shortened; null without one. */
  target: Secret | null
  subscriptionId?: number | undefined
  projectId?: number | undefined
  version?: string | undefined
  status: DeliveryLog['status']
  error: string | null
}

export async function insertDeliveries(
  db: Db,
  { userId, now }: { userId: number; now: number },
  deliveries: NewDelivery[],
): Promise<void> {
  if (deliveries.length === 0) return
  await db
    .insertInto('delivery')
    .values(
      deliveries.map(({ kind, channel, target, subscriptionId, projectId, version, status, error }) => ({
        user_id: userId,
        created_at: now,
        kind,
        channel,
        target: target?.toString() ?? '',
        subscription_id: subscriptionId ?? null,
        project_id: projectId ?? null,
        version: version ?? null,
        status,
        attempts: 0,
        error,
      })),
    )
    .execute()
}

/** Newest first. */
export async function listDeliveries(db: Db, userId: number, limit: number): Promise<DeliveryLog[]> {
  const rows = await db
    .selectFrom('delivery')
    .leftJoin('project', 'project.id', 'delivery.project_id')
    .selectAll('delivery')
    .select('project.name')
    .where('user_id', '=', userId)
    .orderBy('delivery.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    created_at: formatTimestamp(row.created_at),
    kind: row.kind,
    channel: row.channel,
    target: row.target,
    subscription_id: row.subscription_id,
    product_id: row.project_id,
    name: row.name,
    version: row.version,
    status: row.status,
    attempts: row.attempts,
    http_status: row.http_status,
    error: row.error,
  }))
}

/** Removes the oldest from before a time (unix seconds), at most `limit`; returns how many went. */
export async function removeOldDeliveries(
  db: Db,
  { before, limit }: { before: number; limit: number },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('delivery')
    .where('id', 'in', (eb) =>
      eb.selectFrom('delivery').select('id').where('created_at', '<', before).orderBy('id').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
