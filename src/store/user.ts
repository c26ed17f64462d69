import type { Db } from '../db/open.ts'

export interface User {
  id: number
  login: string
  role: 'user' | 'admin'
  plan: 'free' | 'pro' | 'pro_plus'
}

/** The one user of a store that nobody signs in to; made by itself. */
export async function getLocalUser(db: Db, now: number): Promise<User> {
  return (await findUser(db, 'local')) ?? (await addLocalUser(db, now))
}

async function addLocalUser(db: Db, now: number): Promise<User> {
  await db
    .insertInto('user')
    .values({ login: 'local', email: null, role: 'admin', plan: 'pro_plus', created_at: now })
    .onConflict((conflict) => conflict.column('login').doNothing())
    .execute()
  return (await findUser(db, 'local'))!
}

function findUser(db: Db, login: string): Promise<User | undefined> {
  return db.selectFrom('user').select(['id', 'login', 'role', 'plan']).where('login', '=', login).executeTakeFirst()
}
