import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import type { User } from '../../store/accounts/user.ts'
import { type FoundFeed, findFeed, insertFeed, touchFeed } from '../../store/notifications/feed.ts'
import type { UnixSeconds } from '../../util/time.ts'
import { makerFor } from '../accounts/maker.ts'
import { boundUser, isTag, tagOfFeed } from '../accounts/tags.ts'
import type { Vault } from '../keys/vault.ts'
import type { NotificationStore } from './outbox.ts'

interface WantedFeed {
  /** The creator. The feed expires with the creator's API key. */
  by: User
  ownerId: number
}

export async function createFeed(trx: Db, vault: Vault, { by, ownerId }: WantedFeed, now: UnixSeconds) {
  const token = randomBytes(32).toString('base64url')
  const grant = { tokenHash: toHash(vault, token), userId: by.id, ownerId, expiresAt: by.key?.expiresAt ?? null }
  const publicId = `feed_${randomBytes(8).toString('hex')}`
  const item = await insertFeed(trx, {
    ...grant,
    publicId,
    createdAt: now,
    tag: tagOfFeed(vault, grant),
    madeBy: makerFor(by),
  })
  return { path: `/feeds/${token}.atom`, item }
}

const toHash = (vault: Vault, token: string) => vault.keyedHash('feed', token)

const hourSeconds = 3600

/** The feed with this secret; undefined if it was revoked. Last use is updated hourly. */
export async function openFeed(
  service: NotificationStore,
  token: string,
  now: UnixSeconds,
): Promise<FoundFeed | undefined> {
  if (!/^[\w-]{43}$/.test(token)) return undefined
  const keys = await service.vault()
  const tokenHash = toHash(keys, token)
  const found = await findFeed(service.db, tokenHash)
  if (!found || (found.expiresAt !== null && found.expiresAt <= now)) return undefined
  if (!isTag(tagOfFeed(keys, { ...found, tokenHash, userId: found.user.id }), found.tag)) return undefined
  if (found.lastUsedAt === null || now - found.lastUsedAt >= hourSeconds) {
    touchFeed(service.db, found.id, now).catch(() => {})
  }
  return { ...found, user: boundUser(keys, found.user, found.roleTag) }
}
