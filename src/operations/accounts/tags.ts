import { timingSafeEqual } from 'node:crypto'
import type { TeamRole } from '../../contract/team.ts'
import type { NewKey } from '../../store/accounts/api-key.ts'
import type { NewSessionRow } from '../../store/accounts/session.ts'
import type { User } from '../../store/accounts/user.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

/**
 * Tags are keyed hashes over what a row grants. An attacker who can write to the database but lacks the store's key cannot
 * compute them: a row without a valid tag grants nothing. `ownerId` is the row of `owner` for the user or team.
 */

type KeyGrant = Pick<NewKey, 'secretHash' | 'userId' | 'scope' | 'expiresAt'> & { ownerId: number }

export const tagOfKey = (vault: Vault, { secretHash, userId, ownerId, scope, expiresAt }: KeyGrant) =>
  toTag(vault, 'api-key', [hex(secretHash), userId, ownerId, scope, expiresAt])

export const tagOfPassword = (
  vault: Vault,
  { passwordHash, userId, ownerId }: { passwordHash: string; userId: number; ownerId: number },
) => toTag(vault, 'password', [passwordHash, userId, ownerId])

/** Tag for the role on the server. The role `user` needs none. */
export const tagOfRole = (vault: Vault, { id, role }: Pick<User, 'id' | 'role'>) => toTag(vault, 'role', [id, role])

export interface MemberGrant {
  teamId: number
  userId: number
  ownerId: number
  role: TeamRole
}

export const tagOfMember = (vault: Vault, { teamId, userId, ownerId, role }: MemberGrant) =>
  toTag(vault, 'member', [teamId, userId, ownerId, role])

type SessionGrant = Pick<NewSessionRow, 'tokenHash' | 'userId' | 'keyId' | 'expiresAt'> & { ownerId: number }

export const tagOfSession = (vault: Vault, { tokenHash, userId, ownerId, keyId, expiresAt }: SessionGrant) =>
  toTag(vault, 'session', [hex(tokenHash), userId, ownerId, keyId, expiresAt])

interface FeedGrant {
  tokenHash: Uint8Array
  userId: number
  ownerId: number
  expiresAt: UnixSeconds | null
}

export const tagOfFeed = (vault: Vault, { tokenHash, userId, ownerId, expiresAt }: FeedGrant) =>
  toTag(vault, 'feed', [hex(tokenHash), userId, ownerId, expiresAt])

/** Replaces the tag while the account is disabled. */
export const sleepingTag = (vault: Vault, tag: Uint8Array) => vault.keyedHash('sleeping tag', tag)

export function isTag(expected: Uint8Array, stored: Uint8Array | null) {
  return stored !== null && stored.length === expected.length && timingSafeEqual(stored, expected)
}

/** The user, with the role that its tag proves. */
export function boundUser<T extends User>(vault: Vault, user: T, roleTag: Uint8Array | null) {
  if (user.role !== 'admin' || isTag(tagOfRole(vault, user), roleTag)) return user
  return { ...user, role: 'user' }
}

const toTag = (vault: Vault, kind: string, values: (string | number | null)[]) =>
  vault.keyedHash(`tag of ${kind}`, JSON.stringify(values))

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
