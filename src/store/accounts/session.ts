import type { KeyScope } from '../../contract/api-key.ts'
import type { Db } from '../../db/open.ts'
import type { User } from './user.ts'

export interface StoredSession {
  user: User
  nonce: string
  /** Unix seconds. */
  expiresAt: number
  keyId: number | null
  /** Id of the user's row in `owner`. */
  ownerId: number
  tag: Uint8Array | null
  roleTag: Uint8Array | null
  /** The API key that opened the session. */
  key: { secretHash: Uint8Array; scope: KeyScope; expiresAt: number | null; tag: Uint8Array | null } | undefined
}

export interface NewSessionRow {
  tokenHash: Uint8Array
  userId: number
  keyId: number | null
  nonce: string
  expiresAt: number
  tag: Uint8Array
}

export async function insertSession(db: Db, session: NewSessionRow) {
  const { tokenHash, userId, keyId, nonce, expiresAt, tag } = session
  await db
    .insertInto('session')
    .values({ token_hash: tokenHash, user_id: userId, nonce, expires_at: expiresAt, key_id: keyId, tag })
    .execute()
}

/** The session's user with current data, and the API key that opened the session. */
export async function findSession(db: Db, tokenHash: Uint8Array, now: number): Promise<StoredSession | undefined> {
  const row = await db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .innerJoin('owner', 'owner.user_id', 'user.id')
    .leftJoin('api_key', 'api_key.id', 'session.key_id')
    .select(['nonce', 'session.expires_at as expiresAt', 'session.key_id as keyId', 'session.tag'])
    .select(['user.id', 'user.login', 'user.role', 'user.plan', 'user.role_tag as roleTag', 'owner.id as ownerId'])
    .select(['api_key.uuid', 'api_key.scope', 'api_key.secret_hash as secretHash', 'api_key.tag as keyTag'])
    .select(['api_key.expires_at as keyExpiresAt'])
    .where('token_hash', '=', tokenHash)
    .where('session.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, login, role, plan, uuid, scope, secretHash, keyTag: tag, keyExpiresAt: expiresAt, ...session } = row
  const isByKey = uuid !== null && scope !== null && secretHash !== null
  return {
    ...session,
    user: { id, login, role, plan, ...(isByKey && { key: { uuid, scope, expiresAt } }) },
    key: isByKey ? { secretHash, scope, expiresAt, tag } : undefined,
  }
}

export async function removeSession(db: Db, tokenHash: Uint8Array) {
  await db.deleteFrom('session').where('token_hash', '=', tokenHash).execute()
}

export async function removeSessionsFor(db: Db, userId: number) {
  await db.deleteFrom('session').where('user_id', '=', userId).execute()
}

export async function removeExpiredSessions(db: Db, now: number) {
  await db.deleteFrom('session').where('expires_at', '<=', now).execute()
}
