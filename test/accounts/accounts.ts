import { existsSync, readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type Plans, readPlans } from '../../src/config/plans.ts'
import type { RouteAnswer, RouteName } from '../../src/contract/routes.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import type { Vault } from '../../src/operations/keys/vault.ts'
import type { Request } from '../../src/service/handler.ts'
import { invoke } from '../../src/service/invoke.ts'
import { addUser, findUser, type NewUser, type User } from '../../src/store/accounts/user.ts'
import { makeVault } from '../helpers/vault.ts'

export const now = Date.UTC(2026, 8, 1, 12) / 1000
export const hour = 3600

export interface Accounts {
  db: Db
  vault: () => Promise<Vault>
  plans: Plans
  /** Unix seconds; may be set. */
  clock: { now: number }
  now: () => number
  add(login: string, more?: Partial<NewUser>): Promise<User>
  /** As the user is now in the store. */
  callAs<N extends RouteName>(login: string | undefined, name: N, request?: Partial<Request>): Promise<RouteAnswer<N>>
}

/** A store with users, and the service on it. */
export async function openAccounts(
  file = ':memory:',
  plans: Plans = readPlans({ RELT_PLAN_LIMITS: 'interface' }),
): Promise<Accounts> {
  const db = await openDatabase(file)
  onTestFinished(() => db.destroy())
  const vault = await makeVault(db)
  const clock = { now }
  const service = { db, plans, vault: async () => vault, now: () => clock.now }
  return {
    ...service,
    clock,
    add: (login, more) => addUser(db, { login, email: null, role: 'user', plan: 'pro', ...more }, clock.now),
    callAs: async (login, name, request) => {
      const user = login === undefined ? undefined : await findUser(db, login)
      return invoke(service, name, { user, ...request })
    },
  }
}

/** Everything that lies in the files of a store. */
export function bytesOfStore(file: string): Buffer {
  const files = [file, `${file}-wal`].filter((each) => existsSync(each))
  return Buffer.concat(files.map((each) => readFileSync(each)))
}
