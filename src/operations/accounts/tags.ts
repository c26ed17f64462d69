import { timingSafeEqual } from 'node:crypto'
import type { KeyScope } from '../../contract/api-key.ts'
import type { TeamRole } from '../../contract/team.ts'
import type { User } from '../../store/accounts/user.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'

/**
 * Tags are keyed hashes over what a row grants. An attacker who can write to the database but lacks the store's key cannot
 * compute them: a row without a valid tag grants nothing. `ownerId` is the row of `owner` for the user or team.
 */

interface Grant {
  userId: number
  ownerId: number
}

interface KeyGrant extends Grant {
  secretHash: Uint8Array
  scope: KeyScope
  expiresAt: UnixSeconds | null
}

export const tagOfKey = (vault: Vault, { secretHash, userId, ownerId, scope, expiresAt }: KeyGrant): Buffer =>
  toTag(vault, 'api-key', [hex(secretHash), userId, ownerId, scope, expiresAt])

export const tagOfPassword = (
  vault: Vault,
  { passwordHash, userId, ownerId }: Grant & { passwordHash: string },
): Buffer => toTag(vault, 'password', [passwordHash, userId, ownerId])

/** Tag for the role on the server. The role `user` needs none. */
export const tagOfRole = (vault: Vault, { id, role }: Pick<User, 'id' | 'role'>): Buffer =>
  toTag(vault, 'role', [id, role])

export interface MemberGrant extends Grant {
  teamId: number
  role: TeamRole
}

export const tagOfMember = (vault: Vault, { teamId, userId, ownerId, role }: MemberGrant): Buffer =>
  toTag(vault, 'member', [teamId, userId, ownerId, role])

export interface SessionGrant extends Grant {
  tokenHash: Uint8Array
  keyId: number | null
  expiresAt: UnixSeconds
}

export const tagOfSession = (vault: Vault, { tokenHash, userId, ownerId, keyId, expiresAt }: SessionGrant): Buffer =>
  toTag(vault, 'session', [hex(tokenHash), userId, ownerId, keyId, expiresAt])

interface FeedGrant extends Grant {
  tokenHash: Uint8Array
  clusterId: number | null
  kind: string
  expiresAt: UnixSeconds | null
}

export function tagOfFeed(vault: Vault, feed: FeedGrant): Buffer {
  const { tokenHash, userId, ownerId, clusterId, kind, expiresAt } = feed
  return toTag(vault, 'feed', [hex(tokenHash), userId, ownerId, clusterId, kind, expiresAt])
}

/** Replaces the tag while the account is disabled. */
export const sleepingTag = (vault: Vault, tag: Uint8Array): Buffer => vault.keyedHash('sleeping tag', tag)

export function isTag(expected: Uint8Array, stored: Uint8Array | null): boolean {
  return stored !== null && stored.length === expected.length && timingSafeEqual(stored, expected)
}

/** The user, with the role that its tag proves. */
export function boundUser<T extends User>(vault: Vault, user: T, roleTag: Uint8Array | null): T {
  if (user.role !== 'admin' || isTag(tagOfRole(vault, user), roleTag)) return user
  return { ...user, role: 'user' }
}

const toTag = (vault: Vault, kind: string, values: (string | number | null)[]): Buffer =>
  vault.keyedHash(`tag of ${kind}`, JSON.stringify(values))

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
