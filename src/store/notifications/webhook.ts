import { sql } from 'kysely'
import type { WebhookName } from '../../contract/channels.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../util/seal.ts'

export interface SealedWebhook {
  keyId: string
  sealed: Sealed
}

/** An account or one of its subscriptions. */
export interface WebhookOwner {
  userId: number
  subscriptionId: number | null
}

export type StoredWebhook = SealedWebhook & WebhookOwner & { channel: WebhookName }

/** Omitted channels do not change; null removes a webhook. */
export type WebhookChanges = Partial<Record<WebhookName, SealedWebhook | null>>

/** Webhooks of some accounts and all their subscriptions. */
export function listWebhooks(db: Db, userIds: readonly number[]): Promise<StoredWebhook[]> {
  return db
    .selectFrom('webhook')
    .select(['user_id as userId', 'subscription_id as subscriptionId', 'channel', 'key_id as keyId', 'sealed'])
    .where(sql<boolean>`user_id in ${integers(userIds)}`)
    .execute()
}

export async function setWebhooks(
  trx: Db,
  { userId, subscriptionId, madeBy }: WebhookOwner & { madeBy: string | null },
  changes: WebhookChanges,
) {
  for (const [channel, webhook] of Object.entries(changes) as [WebhookName, SealedWebhook | null][]) {
    await trx
      .deleteFrom('webhook')
      .where('user_id', '=', userId)
      .where('subscription_id', 'is not distinct from', subscriptionId)
      .where('channel', '=', channel)
      .execute()
    if (webhook === null) continue
    await trx
      .insertInto('webhook')
      .values({
        user_id: userId,
        subscription_id: subscriptionId,
        channel,
        key_id: webhook.keyId,
        sealed: webhook.sealed,
        made_by: madeBy,
      })
      .execute()
  }
}
