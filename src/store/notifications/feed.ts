import type { FeedAddress } from '../../contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../errors.ts'
import { formatTimestamp, timestampOrNull, type UnixSeconds } from '../../util/time.ts'
import type { User } from '../accounts/user.ts'

export interface NewFeed {
  publicId: string
  userId: number
  ownerId: number
  tokenHash: Uint8Array
  createdAt: UnixSeconds
  tag: Uint8Array
  madeBy: string | null
  expiresAt: UnixSeconds | null
}

export async function insertFeed(db: Db, feed: NewFeed): Promise<FeedAddress> {
  const { publicId, userId, ownerId, tokenHash, createdAt, tag, madeBy, expiresAt } = feed
  await db
    .insertInto('feed')
    .values({
      public_id: publicId,
      user_id: userId,
      owner_id: ownerId,
      token_hash: tokenHash,
      created_at: createdAt,
      last_used_at: null,
      tag,
      made_by: madeBy,
      expires_at: expiresAt,
    })
    .execute()
  return (await listFeeds(db, userId)).find(({ feed_id }) => feed_id === publicId)!
}

function feeds(db: Db) {
  return db
    .selectFrom('feed')
    .innerJoin('owner', 'owner.id', 'feed.owner_id')
    .leftJoin('team', 'team.id', 'owner.team_id')
}

/** Oldest first. */
export async function listFeeds(db: Db, userId: number): Promise<FeedAddress[]> {
  const rows = await feeds(db)
    .select(['feed.public_id as feed_id', 'team.name as team'])
    .select(['feed.created_at', 'feed.last_used_at', 'feed.expires_at'])
    .where('feed.user_id', '=', userId)
    .orderBy('feed.id')
    .execute()
  return rows.map(({ created_at, last_used_at, expires_at, ...row }) => ({
    ...row,
    created_at: formatTimestamp(created_at),
    last_used: timestampOrNull(last_used_at),
    expires_at: timestampOrNull(expires_at),
  }))
}

export async function removeFeed(db: Db, publicId: string, userId: number) {
  const { numDeletedRows } = await db
    .deleteFrom('feed')
    .where('public_id', '=', publicId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw notFound('feed', publicId)
}

export interface FoundFeed {
  id: number
  publicId: string
  ownerId: number
  user: User
  /** Name of the team; null for the user's own account. */
  team: string | null
  lastUsedAt: UnixSeconds | null
  expiresAt: UnixSeconds | null
  tag: Uint8Array | null
  roleTag: Uint8Array | null
}

export async function findFeed(db: Db, tokenHash: Uint8Array): Promise<FoundFeed | undefined> {
  const row = await feeds(db)
    .innerJoin('user', 'user.id', 'feed.user_id')
    .select(['feed.id', 'feed.public_id as publicId', 'feed.owner_id as ownerId', 'team.name as team', 'feed.tag'])
    .select(['feed.last_used_at as lastUsedAt', 'feed.expires_at as expiresAt', 'user.role_tag as roleTag'])
    .select(['user.id as user_id', 'user.login', 'user.role', 'user.plan'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!row) return undefined
  const { user_id: id, login, role, plan, ...feed } = row
  return { ...feed, user: { id, login, role, plan } }
}

export async function touchFeed(db: Db, id: number, now: UnixSeconds) {
  await db.updateTable('feed').set({ last_used_at: now }).where('id', '=', id).execute()
}
