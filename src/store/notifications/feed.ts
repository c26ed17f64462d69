import type { FeedAddress, FeedKind } from '../../contract/feed.ts'
import type { Db } from '../../db/open.ts'
import { notFound } from '../../errors.ts'
import { formatTimestamp, type UnixSeconds } from '../../util/time.ts'
import type { User } from '../accounts/user.ts'

export interface NewFeed {
  publicId: string
  userId: number
  ownerId: number
  clusterId: number | null
  kind: FeedKind
  tokenHash: Uint8Array
  createdAt: UnixSeconds
  tag: Uint8Array
  madeBy: string | null
  expiresAt: UnixSeconds | null
}

export async function insertFeed(db: Db, feed: NewFeed): Promise<FeedAddress> {
  const { publicId, userId, ownerId, clusterId, kind, tokenHash, createdAt, tag, madeBy, expiresAt } = feed
  await db
    .insertInto('feed')
    .values({
      ...{ public_id: publicId, user_id: userId, owner_id: ownerId, cluster_id: clusterId, kind },
      ...{ token_hash: tokenHash, created_at: createdAt, last_used_at: null, tag },
      ...{ made_by: madeBy, expires_at: expiresAt },
    })
    .execute()
  return (await listFeeds(db, userId)).find(({ feed_id }) => feed_id === publicId)!
}

function feeds(db: Db) {
  return db
    .selectFrom('feed')
    .innerJoin('owner', 'owner.id', 'feed.owner_id')
    .leftJoin('team', 'team.id', 'owner.team_id')
    .leftJoin('cluster', 'cluster.id', 'feed.cluster_id')
}

/** Oldest first. */
export async function listFeeds(db: Db, userId: number): Promise<FeedAddress[]> {
  const rows = await feeds(db)
    .select([
      'feed.public_id as feed_id',
      'kind',
      'team.name as team',
      'cluster.name as cluster_name',
      'cluster.environment',
    ])
    .select(['feed.created_at', 'feed.last_used_at', 'feed.expires_at'])
    .where('feed.user_id', '=', userId)
    .orderBy('feed.id')
    .execute()
  return rows.map(({ created_at, last_used_at, expires_at, ...row }) => ({
    ...row,
    created_at: formatTimestamp(created_at),
    last_used: last_used_at === null ? null : formatTimestamp(last_used_at),
    expires_at: expires_at === null ? null : formatTimestamp(expires_at),
  }))
}

export async function removeFeed(db: Db, publicId: string, userId: number): Promise<void> {
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
  kind: FeedKind
  ownerId: number
  user: User
  /** Name of the team; null for the user's own account. */
  team: string | null
  /** Null also if the cluster now belongs to someone else. */
  cluster: { id: number; name: string; environment: string } | null
  lastUsedAt: UnixSeconds | null
  clusterId: number | null
  expiresAt: UnixSeconds | null
  tag: Uint8Array | null
  roleTag: Uint8Array | null
}

export async function findFeed(db: Db, tokenHash: Uint8Array): Promise<FoundFeed | undefined> {
  const row = await feeds(db)
    .innerJoin('user', 'user.id', 'feed.user_id')
    .select(['feed.id', 'feed.public_id', 'kind', 'feed.owner_id', 'team.name as team', 'last_used_at', 'feed.tag'])
    .select(['feed.cluster_id as wanted_cluster_id', 'feed.expires_at', 'user.role_tag'])
    .select(['user.id as user_id', 'user.login', 'user.role', 'user.plan'])
    .select(['cluster.id as cluster_id', 'cluster.name', 'cluster.environment', 'cluster.owner_id as cluster_owner'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, public_id: publicId, kind, owner_id: ownerId, team, login, role, plan, last_used_at: lastUsedAt } = row
  const isOwned = row.cluster_id !== null && row.cluster_owner === ownerId
  const cluster = isOwned ? { id: row.cluster_id!, name: row.name!, environment: row.environment! } : null
  return {
    ...{ id, publicId, kind, ownerId, user: { id: row.user_id, login, role, plan }, team, cluster, lastUsedAt },
    ...{ clusterId: row.wanted_cluster_id, expiresAt: row.expires_at, tag: row.tag, roleTag: row.role_tag },
  }
}

export async function touchFeed(db: Db, id: number, now: UnixSeconds): Promise<void> {
  await db.updateTable('feed').set({ last_used_at: now }).where('id', '=', id).execute()
}
