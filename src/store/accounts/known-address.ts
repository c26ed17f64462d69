import type { Db } from '../../db/open.ts'
import { upsert } from '../../db/upsert.ts'
import type { UnixSeconds } from '../../util/time.ts'

/**
 * Whether the account signed in from the address since then. One query for any login and address, so that its time does not
 * reveal whether the account exists.
 */
export async function findKnownAddress(
  db: Db,
  { login, addressHash }: { login: string; addressHash: Uint8Array },
  since: UnixSeconds,
) {
  const row = await db
    .selectFrom('user')
    .leftJoin('known_address', (join) =>
      join
        .onRef('known_address.user_id', '=', 'user.id')
        .on('address_hash', '=', addressHash)
        .on('used_at', '>=', since),
    )
    .select(['user.id as userId', 'used_at'])
    .where('login', '=', login)
    .executeTakeFirst()
  return row && { userId: row.userId, isKnown: row.used_at !== null }
}

/** Removes older addresses of the account. */
export async function rememberAddress(
  trx: Db,
  { userId, addressHash }: { userId: number; addressHash: Uint8Array },
  { now, since }: { now: UnixSeconds; since: UnixSeconds },
) {
  await trx.deleteFrom('known_address').where('user_id', '=', userId).where('used_at', '<', since).execute()
  await upsert(trx, 'known_address', { user_id: userId, address_hash: addressHash }, { used_at: now })
}
