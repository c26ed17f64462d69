import type { KeyScope } from '../../contract/api-key.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { hasRows } from '../../db/page.ts'
import { invalidParams, ReltError } from '../../errors.ts'

export interface User {
  id: number
  login: string
  role: 'user' | 'admin'
  plan: Plan
  /** The API key of the request, or the one that opened the session; absent for a password and for the local user. */
  key?: SignInKey
  /** The local user, acting as this one on the files of the store. */
  operator?: User
}

export interface SignInKey {
  uuid: string
  scope: KeyScope
  /** Unix seconds. */
  expiresAt: number | null
}

export interface NewUser {
  login: string
  email: string | null
  role: User['role']
  plan: Plan
}

/** Login of the user of the store itself, who cannot sign in and is recreated when missing. */
export const localLogin = 'local'

const columns = ['id', 'login', 'role', 'plan'] as const

/** Works on the files of the store, without signing in: may manage every team. A key of the local user gives no such right. */
export const isOperator = ({ login, key }: User) => login === localLogin && !key

/** The only user of a store without accounts; created on demand. */
export async function getLocalUser(db: Db, now: number): Promise<User> {
  const known = await findUser(db, localLogin)
  if (known) return known
  await db
    .insertInto('user')
    .values({ login: localLogin, email: null, role: 'admin', plan: 'pro_plus', created_at: now })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .execute()
  return (await findUser(db, localLogin))!
}

export function findUser(db: Db, login: string): Promise<User | undefined> {
  return db
    .selectFrom('user')
    .select(columns)
    .where('login', '=', login)
    .where('team_id', 'is', null)
    .executeTakeFirst()
}

export function isDisabled(db: Db, id: number) {
  return hasRows(db.selectFrom('user').where('id', '=', id).where('disabled_at', 'is not', null))
}

export function findUserById(db: Db, id: number): Promise<User | undefined> {
  return db.selectFrom('user').select(columns).where('id', '=', id).executeTakeFirst()
}

export async function getUser(db: Db, login: string): Promise<User> {
  return (await findUser(db, login)) ?? unknownUser(login)
}

/** Whether the store has accounts besides the local user. */
export function hasAccounts(db: Db) {
  return hasRows(db.selectFrom('user').where('login', '!=', localLogin).where('team_id', 'is', null))
}

/** Throws `invalid_param` if the login is taken. */
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

export type UserChange =
  | { plan: Plan }
  | { role: User['role']; role_tag: Uint8Array | null }
  | { password_hash: string; password_tag: Uint8Array }
  | { email: string | null }

export async function updateUser(db: Db, login: string, change: UserChange) {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set(change)
    .where('login', '=', login)
    .where('team_id', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) unknownUser(login)
}

/** Removes a user with their keys, sessions, subscriptions, reports and configurations. */
export async function removeUser(db: Db, login: string) {
  const { numDeletedRows } = await db
    .deleteFrom('user')
    .where('login', '=', login)
    .where('team_id', 'is', null)
    .executeTakeFirst()
  if (numDeletedRows === 0n) unknownUser(login)
}

export function unknownUser(login: string): never {
  throw new ReltError('not_found', `No user named ${login}.`)
}
