import type { Db } from '../../db/open.ts'
import type { User } from './user.ts'

export interface Session {
  user: User
  nonce: string
  /** Unix seconds. */
  expiresAt: number
}

export async function insertSession(
  db: Db,
  tokenHash: Uint8Array,
  session: { userId: number; keyId: number | null; nonce: string; expiresAt: number },
): Promise<void> {
  const { userId, keyId, nonce, expiresAt } = session
  await db
    .insertInto('session')
    .values({ token_hash: tokenHash, user_id: userId, nonce, expires_at: expiresAt, key_id: keyId })
    .execute()
}

/** The user as they are now, not as they were at the sign-in, with the API key that opened the session. */
export async function findSession(db: Db, tokenHash: Uint8Array, now: number): Promise<Session | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .leftJoin('api_key', 'api_key.id', 'session.key_id')
    .select(['nonce', 'session.expires_at', 'user.id', 'user.login', 'user.role', 'user.plan'])
    .select(['api_key.uuid', 'api_key.scope'])
    .where('token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { nonce, expires_at, uuid, scope, ...user } = row
  const key = uuid !== null && scope !== null && { uuid, scope }
  return { user: { ...user, ...(key && { key }) }, nonce, expiresAt: expires_at }
}

export async function removeSession(db: Db, tokenHash: Uint8Array): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function removeSessionsOf(db: Db, userId: number): Promise<void> {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
}

export async function removeExpiredSessions(db: Db, now: number): Promise<void> {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
}
