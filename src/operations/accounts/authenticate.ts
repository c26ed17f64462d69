import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { findCredentials, type StoredCredentials } from '../../store/accounts/account.ts'
import { type FoundKey, findKey, touchKey } from '../../store/accounts/api-key.ts'
import * as store from '../../store/accounts/session.ts'
import type { User } from '../../store/accounts/user.ts'
import { formatTimestamp } from '../../util/time.ts'
import type { Unlock, Vault } from '../keys/vault.ts'
import { hashOfKey } from './api-key.ts'
import { newBrowserToken, rememberAddress } from './known-caller.ts'
import { verifyPassword } from './password.ts'
import { boundUser, isTag, tagOfKey, tagOfPassword, tagOfSession } from './tags.ts'

interface Service {
  db: Db
  vault: Unlock
}

const hourSeconds = 3600
const sessionSeconds = 12 * hourSeconds

/**
 * Authenticates with an application password, and its login unless it is a bearer token. The key is looked up by its keyed
 * hash, so an unknown login takes as long as a wrong password. Plan and key scope are not checked: routes that they exclude
 * return 403, not 401. Throws `unauthenticated` for an expired key, and says so only to its owner.
 */
export async function authenticate(
  service: Service,
  username: string | undefined,
  password: string,
  now: number,
): Promise<User | undefined> {
  return (await findSignInKey(service, username, password, now))?.user
}

async function findSignInKey(
  { db, vault }: Service,
  username: string | undefined,
  password: string,
  now: number,
): Promise<FoundKey | undefined> {
  if (username?.includes('@')) return undefined
  const keys = await vault()
  const hash = hashOfKey(keys, password)
  const key = hash && (await findKey(db, hash))
  if (!key || !timingSafeEqual(key.secretHash, hash)) return undefined
  if (username !== undefined && key.user.login !== username) return undefined
  const grant = { ...key, userId: key.user.id, scope: key.user.key.scope }
  if (!isTag(tagOfKey(keys, grant), key.tag)) return undefined
  if (key.expiresAt !== null && key.expiresAt <= now) {
    throw new ReltError(
      'unauthenticated',
      `Authentication is required: this API key expired at ${formatTimestamp(key.expiresAt)} UTC.`,
      { hint: 'Create another one: relt keys create NAME' },
    )
  }
  // Updated at most once an hour, so most requests do not write. A busy or full store does not block sign-in.
  if (key.lastUsedAt === null || now - key.lastUsedAt >= hourSeconds) touchKey(db, key.id, now).catch(() => {})
  return { ...key, user: boundUser(keys, key.user, key.roleTag) }
}

export interface NewSession {
  /** Value for the cookie; the store has only its keyed hash. */
  token: string
  nonce: string
  /** Unix seconds. */
  expiresAt: number
}

export interface SignInAttempt {
  username: string
  password: string
  /** The caller's IP address or network. */
  address: string
}

/**
 * Signs in with login and account password. `browserToken` identifies the browser at its next sign-in; the address is
 * remembered too.
 */
export async function createSession(
  { db, vault }: Service,
  { username, password, address }: SignInAttempt,
  now: number,
) {
  if (username.includes('@') || password.length > 1000) return undefined
  const found = await findCredentials(db, username)
  if (!(await verifyPassword(password, found?.passwordHash)) || !found) return undefined
  const keys = await vault()
  if (!isBoundPassword(keys, found)) return undefined
  const session = newSession(now + sessionSeconds)
  const row = toRow(keys, session, { userId: found.user.id, ownerId: found.ownerId, keyId: null })
  return write(db, `user:${found.user.id} sessions`, async (trx) => {
    // The password may have changed during the check, which ends sessions opened with the old one.
    const current = await findCredentials(trx, username)
    if (current?.user.id !== found.user.id || current.passwordHash !== found.passwordHash) return undefined
    await store.removeExpiredSessions(trx, now)
    await store.insertSession(trx, row)
    await rememberAddress(trx, keys, { userId: found.user.id, address }, now)
    return { ...session, browserToken: newBrowserToken(keys, found.user.id, now) }
  })
}

/**
 * Signs in with login and API key. The session has the key's permissions and ends with it. Throws `unauthenticated` for an
 * expired key, and `forbidden` for one that cannot read.
 */
export async function createKeySession(
  service: Service,
  { username, password }: SignInAttempt,
  now: number,
): Promise<NewSession | undefined> {
  const { db, vault } = service
  const key = await findSignInKey(service, username, password, now)
  if (!key) return undefined
  if (key.user.key.scope === 'upload') {
    throw new ReltError('forbidden', 'This API key has the scope upload: it cannot sign in to the pages.')
  }
  const session = newSession(Math.min(now + sessionSeconds, key.expiresAt ?? Number.POSITIVE_INFINITY))
  const row = toRow(await vault(), session, { userId: key.user.id, ownerId: key.ownerId, keyId: key.id })
  return write(db, `user:${key.user.id} sessions`, async (trx) => {
    // The key may have been revoked in the meantime.
    if (!(await findKey(trx, key.secretHash))) return undefined
    await store.removeExpiredSessions(trx, now)
    await store.insertSession(trx, row)
    return session
  })
}

const newSession = (expiresAt: number): NewSession => ({
  token: randomBytes(32).toString('base64url'),
  nonce: randomBytes(16).toString('hex'),
  expiresAt,
})

function isBoundPassword(vault: Vault, { user, passwordHash, ownerId, tag }: StoredCredentials) {
  return passwordHash !== null && isTag(tagOfPassword(vault, { passwordHash, userId: user.id, ownerId }), tag)
}

function toRow(
  vault: Vault,
  { token, nonce, expiresAt }: NewSession,
  { ownerId, ...of }: { userId: number; ownerId: number; keyId: number | null },
): store.NewSessionRow {
  const tokenHash = vault.keyedHash('session', token)
  return { ...of, tokenHash, nonce, expiresAt, tag: tagOfSession(vault, { ...of, ownerId, tokenHash, expiresAt }) }
}

export async function findSession({ db, vault }: Service, token: string, now: number) {
  const keys = await vault()
  const tokenHash = keys.keyedHash('session', token)
  const found = await store.findSession(db, tokenHash, now)
  if (!found || !isBoundSession(keys, tokenHash, found)) return undefined
  const { user, roleTag, nonce, expiresAt } = found
  return { user: boundUser(keys, user, roleTag), nonce, expiresAt }
}

function isBoundSession(vault: Vault, tokenHash: Uint8Array, found: store.StoredSession) {
  const { user, ownerId, keyId, expiresAt, tag, key } = found
  const userId = user.id
  if (!isTag(tagOfSession(vault, { tokenHash, userId, ownerId, keyId, expiresAt }), tag)) return false
  if (keyId === null) return true
  return key !== undefined && isTag(tagOfKey(vault, { ...key, userId, ownerId }), key.tag)
}

export async function deleteSession({ db, vault }: Service, token: string) {
  await store.removeSession(db, (await vault()).keyedHash('session', token))
}
