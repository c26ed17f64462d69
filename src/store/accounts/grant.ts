import { hash } from 'node:crypto'
import type { Db } from '../../db/open.ts'
import { localLogin } from './user.ts'

/** The rows that grant access; `value` depends on what a row grants and to whom. */
export async function listGrants(db: Db) {
  const users = await db.selectFrom('user').selectAll().where('team_id', 'is', null).orderBy('login').execute()
  const loginFor = new Map(users.map(({ id, login }) => [id, login]))
  const members = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('user', 'user.id', 'team_member.user_id')
    .select(['team.name', 'login', 'team_member.role'])
    .orderBy('team.name')
    .orderBy('login')
    .execute()
  const keys = await db.selectFrom('api_key').selectAll().orderBy('user_id').orderBy('uuid').execute()
  return [
    ...users.flatMap(({ login, role }) => (login === localLogin ? [] : [{ kind: 'role', of: login, value: role }])),
    ...users.flatMap(({ login, password_hash }) =>
      password_hash === null ? [] : [{ kind: 'password', of: login, value: digest(password_hash) }],
    ),
    ...keys.map(({ uuid, name, user_id, scope, expires_at, secret_hash }) => ({
      kind: `API key ${uuid} ("${name}")`,
      of: loginFor.get(user_id) ?? 'nobody',
      value: JSON.stringify([scope, expires_at, digest(secret_hash)]),
    })),
    ...members.map(({ name, login, role }) => ({ kind: `membership in ${name}`, of: login, value: role })),
  ]
}

const digest = (value: string | Uint8Array) => hash('sha256', value, 'hex')
