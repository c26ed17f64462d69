import type { Db } from '../../db/open.ts'
import type { Sealed } from '../../util/seal.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { WebhookOwner } from './webhook.ts'

export interface StoredSigningSecret {
  keyId: string
  sealed: Sealed
}

/** Secrets valid at a time, newest first. */
export function listSigningSecrets(
  db: Db,
  { userId, subscriptionId }: WebhookOwner,
  now: UnixSeconds,
): Promise<StoredSigningSecret[]> {
  return db
    .selectFrom('signing_secret')
    .select(['key_id as keyId', 'sealed'])
    .where('user_id', '=', userId)
    .where('subscription_id', 'is not distinct from', subscriptionId)
    .where((eb) => eb.or([eb('valid_until', 'is', null), eb('valid_until', '>', now)]))
    .orderBy('id', 'desc')
    .execute()
}

/** The current secret stays valid until `validUntil`, beside the new one; removes older ones. */
export async function replaceSigningSecret(
  trx: Db,
  { userId, subscriptionId }: WebhookOwner,
  { keyId, sealed }: StoredSigningSecret,
  { now, validUntil }: { now: UnixSeconds; validUntil: UnixSeconds },
) {
  await trx
    .deleteFrom('signing_secret')
    .where('user_id', '=', userId)
    .where('subscription_id', 'is not distinct from', subscriptionId)
    .where('valid_until', 'is not', null)
    .execute()
  const { numUpdatedRows } = await trx
    .updateTable('signing_secret')
    .set({ valid_until: validUntil })
    .where('user_id', '=', userId)
    .where('subscription_id', 'is not distinct from', subscriptionId)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('signing_secret')
    .values({
      user_id: userId,
      subscription_id: subscriptionId,
      created_at: now,
      valid_until: null,
      key_id: keyId,
      sealed,
    })
    .execute()
  return { hasPrevious: numUpdatedRows > 0n }
}
