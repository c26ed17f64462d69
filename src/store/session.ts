import type { Db } from '../db/open.ts'
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
  session: { userId: number; nonce: string; expiresAt: number },
): Promise<void> {
  const { userId, nonce, expiresAt } = session
  await db
    .insertInto('session')
    .values({ token_hash: tokenHash, user_id: userId, nonce, expires_at: expiresAt })
    .execute()
}

/** The user as they are now, not as they were at the sign-in. */
export async function findSession(db: Db, tokenHash: Uint8Array, now: number): Promise<Session | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .select(['nonce', 'expires_at', 'user.id', 'user.login', 'user.role', 'user.plan'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { nonce, expires_at, ...user } = row
  return { user, nonce, expiresAt: expires_at }
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
