import type { Account } from '../../contract/account.ts'
import type { KeyScope } from '../../contract/api-key.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import { formatTimestamp } from '../../util/time.ts'

export interface User {
  id: number
  login: string
  role: 'user' | 'admin'
  plan: Plan
  /** The API key that signs in, or signed in to the session; absent for a password and for the local user. */
  key?: SignInKey
}

export interface SignInKey {
  uuid: string
  scope: KeyScope
}

export interface NewUser {
  login: string
  email: string | null
  role: User['role']
  plan: Plan
}

/** A user of the store itself. It cannot sign in, and is recreated when missing. */
export const localLogin = 'local'

const columns = ['id', 'login', 'role', 'plan'] as const

/** The only user of a store without sign-in; created automatically. */
export async function getLocalUser(db: Db, now: number): Promise<User> {
  return (await findUser(db, localLogin)) ?? (await addLocalUser(db, now))
}

async function addLocalUser(db: Db, now: number): Promise<User> {
  await db
    .insertInto('user')
    .values({ login: localLogin, email: null, role: 'admin', plan: 'pro_plus', created_at: now })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .execute()
  return (await findUser(db, localLogin))!
}

export function findUser(db: Db, login: string): Promise<User | undefined> {
  return db.selectFrom('user').select(columns).where('login', '=', login).executeTakeFirst()
}

export function findUserById(db: Db, id: number): Promise<User | undefined> {
  return db.selectFrom('user').select(columns).where('id', '=', id).executeTakeFirst()
}

export async function getUser(db: Db, login: string): Promise<User> {
  return (await findUser(db, login)) ?? unknownUser(login)
}

/** Whether the store has accounts besides the local user. */
export async function hasAccounts(db: Db): Promise<boolean> {
  const row = await db.selectFrom('user').select('id').where('login', '!=', localLogin).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Throws `invalid_param` when the login is taken. */
export async function addUser(db: Db, user: NewUser, now: number): Promise<User> {
  const added = await db
    .insertInto('user')
    .values({ ...user, created_at: now })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .returning(columns)
    .executeTakeFirst()
  if (!added) throw invalidParams({ login: `${user.login} is taken` })
  return added
}

export async function listAccounts(db: Db): Promise<Account[]> {
  return (await accounts(db).orderBy('login').execute()).map(toAccount)
}

export async function getAccount(db: Db, login: string): Promise<Account> {
  const row = await accounts(db).where('login', '=', login).executeTakeFirst()
  return row ? toAccount(row) : unknownUser(login)
}

export async function updateUser(
  db: Db,
  login: string,
  change: { plan: Plan } | { role: User['role'] } | { password_hash: string } | { email: string | null },
): Promise<void> {
  const { numUpdatedRows } = await db.updateTable('user').set(change).where('login', '=', login).executeTakeFirst()
  if (numUpdatedRows === 0n) unknownUser(login)
}

/** With everything that is theirs: keys, sessions, subscriptions, reports, configurations. */
export async function removeUser(db: Db, login: string): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('user').where('login', '=', login).executeTakeFirst()
  if (numDeletedRows === 0n) unknownUser(login)
}

/** For signing in; the hash goes no further. */
export async function findCredentials(
  db: Db,
  login: string,
): Promise<{ user: User; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('user')
    .select([...columns, 'password_hash'])
    .where('login', '=', login)
    .executeTakeFirst()
  if (!row) return undefined
  const { password_hash, ...user } = row
  return { user, passwordHash: password_hash }
}

function unknownUser(login: string): never {
  throw new ReltError('not_found', `No user named ${login}.`)
}

function accounts(db: Db) {
  return db.selectFrom('user').select((eb) => [
    ...columns,
    'email',
    'created_at',
    eb('password_hash', 'is not', null).as('has_password'),
    eb
      .selectFrom('api_key')
      .whereRef('api_key.user_id', '=', 'user.id')
      .select((each) => each.fn.countAll<number>().as('count'))
      .as('keys'),
  ])
}

type AccountRow = Awaited<ReturnType<ReturnType<typeof accounts>['executeTakeFirstOrThrow']>>

function toAccount({ id, login, email, role, plan, created_at, has_password, keys }: AccountRow): Account {
  return {
    id,
    login,
    email,
    role,
    plan,
    created: formatTimestamp(created_at),
    has_password: Boolean(has_password),
    keys: keys ?? 0,
  }
}
