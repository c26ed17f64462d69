import { sql } from 'kysely'
import type { Account } from '../../contract/account.ts'
import type { Db } from '../../db/open.ts'
import { formatTimestamp, timestampOrNull, type UnixSeconds } from '../../util/time.ts'
import { type User, unknownUser } from './user.ts'

export async function listAccounts(db: Db): Promise<Account[]> {
  return (await accounts(db).orderBy('login').execute()).map(toAccount)
}

export async function getAccount(db: Db, login: string): Promise<Account> {
  const row = await accounts(db).where('login', '=', login).executeTakeFirst()
  return row ? toAccount(row) : unknownUser(login)
}

export async function setDisabled(trx: Db, userId: number, at: UnixSeconds | null) {
  await trx.updateTable('user').set({ disabled_at: at }).where('id', '=', userId).execute()
}

/** Login data with the password hash, for sign-in only. */
export async function findCredentials(db: Db, login: string): Promise<StoredCredentials | undefined> {
  const row = await db
    .selectFrom('user')
    .innerJoin('owner', 'owner.user_id', 'user.id')
    .select(['user.id', 'login', 'role', 'plan', 'password_hash', 'password_tag', 'owner.id as owner_id'])
    .where('login', '=', login)
    .executeTakeFirst()
  if (!row) return undefined
  const { password_hash: passwordHash, password_tag: tag, owner_id: ownerId, ...user } = row
  return { user, passwordHash, tag, ownerId }
}

export interface StoredCredentials {
  user: User
  passwordHash: string | null
  tag: Uint8Array | null
  /** Id of the user's row in `owner`. */
  ownerId: number
}

function accounts(db: Db) {
  return db
    .selectFrom('user')
    .where('team_id', 'is', null)
    .select(['id', 'login', 'email', 'role', 'plan', 'created_at', 'disabled_at'])
    .select((eb) => eb('password_hash', 'is not', null).as('has_password'))
    .select(sql<number>`(select count(*) from api_key where user_id = "user".id)`.as('keys'))
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>

function toAccount({ created_at, has_password, disabled_at, keys, ...user }: AccountRow): Account {
  return {
    ...user,
    created: formatTimestamp(created_at),
    has_password: Boolean(has_password),
    disabled_at: timestampOrNull(disabled_at),
    keys,
  }
}
