import type { Selectable } from 'kysely'
import type { ApiKey, KeyScope } from '../../contract/api-key.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import { formatTimestamp, timestampOrNull } from '../../util/time.ts'
import { forgetOrigins } from './made.ts'
import type { SignInKey, User } from './user.ts'

/** Times are unix seconds. */
export interface NewKey {
  uuid: string
  userId: number
  name: string
  secretHash: Uint8Array
  createdAt: number
  /** Null for a key that does not expire. */
  expiresAt: number | null
  scope: KeyScope
  tag: Uint8Array
  /** Maker of the key, see the table `key_origin`. */
  madeBy: string | null
  replaces: string | null
}

export async function insertKey(db: Db, key: NewKey) {
  const { uuid, userId, name, secretHash, createdAt, expiresAt, scope, tag, madeBy, replaces } = key
  await db
    .insertInto('api_key')
    .values({
      uuid,
      user_id: userId,
      name,
      secret_hash: secretHash,
      created_at: createdAt,
      expires_at: expiresAt,
      scope,
      tag,
    })
    .execute()
  await db.insertInto('key_origin').values({ uuid, user_id: userId, made_by: madeBy, replaces }).execute()
}

/** Oldest first, expired ones included. */
export async function listKeys(db: Db, userId: number): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_key')
    .innerJoin('key_origin', 'key_origin.uuid', 'api_key.uuid')
    .select(['api_key.uuid', 'name', 'created_at', 'expires_at', 'scope', 'last_used_at', 'made_by', 'replaces'])
    .where('api_key.user_id', '=', userId)
    .orderBy('id')
    .execute()
  return rows.map(({ uuid, name, created_at, expires_at, scope, last_used_at, made_by, replaces }) => ({
    uuid,
    name,
    created: formatTimestamp(created_at),
    expires_at: timestampOrNull(expires_at),
    scope,
    last_used: timestampOrNull(last_used_at),
    made_by,
    replaces,
  }))
}

/** Counts keys that have not expired: only they count towards the plan's limit. */
export function countKeys(db: Db, userId: number, now: number) {
  return countRows(
    db
      .selectFrom('api_key')
      .where('user_id', '=', userId)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)])),
  )
}

/** Undefined also for another user's key. */
export function findOwnKey(db: Db, userId: number, uuid: string) {
  return db
    .selectFrom('api_key')
    .select(['uuid', 'created_at as createdAt', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('uuid', '=', uuid)
    .executeTakeFirst()
}

/** The user of a key, also after it has ended. */
export async function findKeyUser(db: Db, uuid: string) {
  const row = await db.selectFrom('key_origin').select('user_id').where('uuid', '=', uuid).executeTakeFirst()
  return row?.user_id
}

/** Throws `not_found`, also for another user's key. */
export async function removeKey(trx: Db, uuid: string, userId: number) {
  const removed = await trx
    .deleteFrom('api_key')
    .where('uuid', '=', uuid)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  // The message omits the id, which may be the key itself, given by mistake.
  if (removed.numDeletedRows === 0n) throw notFound('API key')
  await forgetOrigins(trx, userId)
}

export interface FoundKey {
  id: number
  secretHash: Uint8Array
  /** Unix seconds. */
  lastUsedAt: number | null
  /** Unix seconds. */
  expiresAt: number | null
  user: User & { key: SignInKey }
  /** Id of the user's row in `owner`. */
  ownerId: number
  tag: Uint8Array | null
  roleTag: Uint8Array | null
}

type Key = Selectable<Tables['api_key']>
type KeyRow = Pick<Key, 'secret_hash' | 'last_used_at' | 'expires_at' | 'uuid' | 'scope' | 'tag'> &
  Pick<Selectable<Tables['user']>, 'id' | 'login' | 'role' | 'plan' | 'role_tag'> & { key_id: number; owner_id: number }

const keysByHash =
  fixedQuery<KeyRow>(`select api_key.id as key_id, secret_hash, last_used_at, expires_at, uuid, scope, tag,
    "user".id, "user".login, "user".role, "user".plan, role_tag, owner.id as owner_id
  from api_key join "user" on "user".id = api_key.user_id join owner on owner.user_id = "user".id
  where secret_hash = ?`)

export async function findKey(db: Db, secretHash: Uint8Array): Promise<FoundKey | undefined> {
  // Precompiled, because every request with a key needs it, and building the query takes longer than running it.
  const [row] = await keysByHash(db, [secretHash])
  if (!row) return undefined
  const { key_id, secret_hash, last_used_at, expires_at, uuid, scope, owner_id, tag, role_tag, ...user } = row
  return {
    id: key_id,
    secretHash: secret_hash,
    lastUsedAt: last_used_at,
    expiresAt: expires_at,
    user: { ...user, key: { uuid, scope, expiresAt: expires_at } },
    ownerId: owner_id,
    tag,
    roleTag: role_tag,
  }
}

export async function touchKey(db: Db, id: number, now: number) {
  await db.updateTable('api_key').set({ last_used_at: now }).where('id', '=', id).execute()
}
