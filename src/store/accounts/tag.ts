import type { Db } from '../../db/open.ts'

/** The row that has a tag. */
export type TagPlace =
  | { table: 'api_key' | 'feed'; id: number }
  | { table: 'user'; id: number; column: 'password_tag' | 'role_tag' }
  | { table: 'team_member'; teamId: number; userId: number }
  | { table: 'session'; tokenHash: Uint8Array }

export async function setTag(trx: Db, place: TagPlace, tag: Uint8Array) {
  if (place.table === 'user') {
    await trx
      .updateTable('user')
      .set({ [place.column]: tag })
      .where('id', '=', place.id)
      .execute()
  } else if (place.table === 'session') {
    await trx.updateTable('session').set({ tag }).where('token_hash', '=', place.tokenHash).execute()
  } else if (place.table === 'team_member') {
    const { teamId, userId } = place
    await trx
      .updateTable('team_member')
      .set({ tag })
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .execute()
  } else {
    await trx.updateTable(place.table).set({ tag }).where('id', '=', place.id).execute()
  }
}

export function listTaggedUsers(db: Db) {
  return db
    .selectFrom('user')
    .innerJoin('owner', 'owner.user_id', 'user.id')
    .select(['user.id', 'login', 'role', 'password_hash as passwordHash', 'password_tag as passwordTag'])
    .select(['role_tag as roleTag', 'owner.id as ownerId'])
    .orderBy('user.id')
    .execute()
}

export function listTaggedKeys(db: Db) {
  return db
    .selectFrom('api_key')
    .innerJoin('user', 'user.id', 'api_key.user_id')
    .innerJoin('owner', 'owner.user_id', 'user.id')
    .select(['api_key.id', 'uuid', 'login', 'api_key.user_id as userId', 'owner.id as ownerId'])
    .select(['secret_hash as secretHash', 'scope', 'expires_at as expiresAt', 'tag'])
    .orderBy('api_key.id')
    .execute()
}

export function listTaggedMembers(db: Db) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('owner', 'owner.team_id', 'team.id')
    .innerJoin('user', 'user.id', 'team_member.user_id')
    .select(['team.name as team', 'login', 'team_member.team_id as teamId', 'team_member.user_id as userId'])
    .select(['owner.id as ownerId', 'team_member.role', 'tag'])
    .orderBy('team_member.team_id')
    .orderBy('team_member.user_id')
    .execute()
}

export function listTaggedSessions(db: Db) {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.id', 'session.user_id')
    .innerJoin('owner', 'owner.user_id', 'user.id')
    .select(['login', 'token_hash as tokenHash', 'session.user_id as userId', 'owner.id as ownerId'])
    .select(['key_id as keyId', 'expires_at as expiresAt', 'tag'])
    .orderBy('token_hash')
    .execute()
}

export function listTaggedFeeds(db: Db) {
  return db
    .selectFrom('feed')
    .innerJoin('user', 'user.id', 'feed.user_id')
    .select(['feed.id', 'public_id as publicId', 'login', 'token_hash as tokenHash', 'feed.user_id as userId'])
    .select(['feed.owner_id as ownerId', 'expires_at as expiresAt', 'tag'])
    .orderBy('feed.id')
    .execute()
}
