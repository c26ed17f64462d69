import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { issueKey } from '../../src/operations/accounts/api-key.ts'
import { findForeignGrants } from '../../src/operations/accounts/check-tags.ts'
import { openVault } from '../../src/operations/keys/vault.ts'
import { listRecipients } from '../../src/operations/notifications/recipients.ts'
import { getOwnAccount, getTeamAccount } from '../../src/store/accounts/owner.ts'
import { getTeamId } from '../../src/store/accounts/team.ts'
import { keyLength } from '../../src/util/seal.ts'
import { keySource } from '../helpers/vault.ts'
import { basic } from '../server/http.ts'
import { fill, openSite, password } from '../server/site.ts'

/** Ada is an admin, and owner of a team with a cluster. Eve has an account, and can write the database without its key. */
async function openAttacked() {
  const site = await openSite()
  await fill(site)
  const { db, service, clock, eve, call } = site
  const use = async (login: string, key: string, path = '/dashboard') =>
    (await call(path, { headers: { authorization: basic(login, key) } })).status
  const newKey = async (limits: object) =>
    (await issueKey(service, { userId: eve.user.id, name: 'x', ...limits }, clock.now)).password
  const run = (statement: string) => sql.raw(statement).execute(db)
  const foreign = async () => findForeignGrants(db, await service.vault())
  return { ...site, use, newKey, run, foreign }
}

test('a key that is given to another account signs in to none', async () => {
  const { ada, eve, use, run, foreign } = await openAttacked()
  expect(await use('eve', eve.key)).toBe(200)
  await run(`update api_key set user_id = ${ada.user.id} where user_id = ${eve.user.id}`)
  expect(await use('ada', eve.key)).toBe(401)
  expect(await use('ada', ada.key)).toBe(200)
  expect(await foreign()).toEqual([expect.stringMatching(/^API key [0-9a-f-]{36} of ada was not written by relt$/)])
})

test.each([
  ['scope', { scope: 'read' }, `scope = 'all'`, 0],
  ['expiry', { inSeconds: 60 }, 'expires_at = 9999999999', 120],
  ['expiry', { inSeconds: 60 }, 'expires_at = null', 120],
] as const)('a key whose %s was changed signs in no more', async (_, limits, change, later) => {
  const { newKey, clock, use, run } = await openAttacked()
  const { inSeconds, ...rest } = { inSeconds: undefined, ...limits }
  const key = await newKey({ ...rest, ...(inSeconds && { expires_at: clock.now + inSeconds }) })
  expect(await use('eve', key)).toBe(200)
  await run(`update api_key set ${change} where id = (select max(id) from api_key)`)
  clock.now += later
  expect(await use('eve', key)).toBe(401)
})

test('the secret of one key in the row of another signs in to neither', async () => {
  const { ada, eve, use, run, foreign } = await openAttacked()
  const [of, from] = [ada, eve].map(({ user }) => `(select min(id) from api_key where user_id = ${user.id})`)
  await run(`create table stolen as select secret_hash, tag from api_key where id = ${from}`)
  await run(`delete from api_key where id = ${from}`)
  await run(
    `update api_key set secret_hash = (select secret_hash from stolen), tag = (select tag from stolen) where id = ${of}`,
  )
  await run('drop table stolen')
  expect([await use('ada', eve.key), await use('eve', eve.key)]).toEqual([401, 401])
  expect(await foreign()).toHaveLength(1)
})

test('a password that is copied to another account signs in to it not', async () => {
  const { ada, eve, run, submit, foreign } = await openAttacked()
  const of = (column: string) => `(select ${column} from "user" as eve where eve.id = ${eve.user.id})`
  await run(`update "user" set password_hash = ${of('password_hash')}, password_tag = ${of('password_tag')}
    where id = ${ada.user.id}`)
  expect((await submit('/sign-in', { username: 'ada', password })).status).toBe(401)
  expect((await submit('/sign-in', { username: 'eve', password })).status).toBe(303)
  expect(await foreign()).toEqual(['password of ada was not written by relt'])
})

test('a role of an admin that is written or copied grants nothing', async () => {
  const { ada, eve, use, run, foreign } = await openAttacked()
  expect(await use('ada', ada.key, '/existing-releases')).toBe(200)
  await run(`update "user" set role = 'admin' where id = ${eve.user.id}`)
  expect(await use('eve', eve.key, '/existing-releases')).toBe(403)
  await run(`update "user" set role_tag = (select role_tag from "user" as ada where ada.id = ${ada.user.id})
    where id = ${eve.user.id}`)
  expect(await use('eve', eve.key, '/existing-releases')).toBe(403)
  expect(await use('eve', eve.key, '/audit')).toBe(403)
  expect(await foreign()).toEqual(['role admin of eve was not written by relt'])
})

test('a membership that is written, copied or promoted grants nothing', async () => {
  const { ada, eve, db, run, foreign, call, service } = await openAttacked()
  const ask = async (path = '/cluster-reports?cluster_name=shop-zq7') =>
    (await call(path, { headers: { ...eve.headers, 'x-relt-team': 'platform' } })).status
  const teamId = await getTeamId(db, 'platform')
  await run(`insert into team_member (team_id, user_id, role, is_default, tag)
    select team_id, ${eve.user.id}, role, 0, tag from team_member where user_id = ${ada.user.id}`)
  expect([await ask(), await ask('/teams/platform')]).toEqual([404, 404])
  // No messages about its clusters either.
  const [recipient] = await listRecipients(service, { userIds: [eve.user.id] })
  expect(recipient?.ownerIds).not.toContain(await getTeamAccount(db, teamId))
  expect(await foreign()).toEqual(['role owner of eve in team platform was not written by relt'])
  await run(`delete from team_member where user_id = ${eve.user.id}`)
  const body = { login: 'eve', role: 'viewer' }
  expect((await call('/teams/platform/members', { headers: ada.headers, body })).status).toBe(200)
  expect(await ask()).toBe(200)
  await run(`update team_member set role = 'owner' where user_id = ${eve.user.id}`)
  expect(await ask()).toBe(404)
})

test('a session that is given to another account, or freed from its key, is nobody', async () => {
  const { ada, eve, call, submit, open, run, newKey } = await openAttacked()
  const toCookie = async (secret: string) => {
    const answer = await submit('/sign-in', { username: 'eve', password: secret })
    return answer.headers.getSetCookie()[0]!.split(';')[0]!
  }
  const isIn = async (cookie: string) => (await open('/account', { headers: { cookie } })).status === 200
  const cookie = await toCookie(password)
  expect(await isIn(cookie)).toBe(true)
  await run(`update session set user_id = ${ada.user.id}`)
  expect(await isIn(cookie)).toBe(false)
  expect((await call('/session', { headers: { cookie } })).status).toBe(401)
  await run('delete from session')
  const byKey = await toCookie(await newKey({ scope: 'read' }))
  expect(await isIn(byKey)).toBe(true)
  for (const change of ['update session set key_id = null', `update api_key set scope = 'all'`]) {
    await run(change)
    expect(await isIn(byKey)).toBe(false)
    await run(`update session set key_id = (select max(id) from api_key where user_id = ${eve.user.id})`)
  }
})

test('a feed that is given to another account or owner is gone', async () => {
  const { ada, eve, db, call, run } = await openAttacked()
  const { path } = (await call('/feeds', { method: 'POST', headers: eve.headers })).body
  const read = async () => (await call(path, { absolute: true })).status
  expect(await read()).toBe(200)
  const owner = await getOwnAccount(db, eve.user.id)
  for (const change of [`user_id = ${ada.user.id}`, `owner_id = ${await getOwnAccount(db, ada.user.id)}`]) {
    await run(`update feed set ${change} where owner_id = ${owner}`)
    expect(await read()).toBe(404)
    await run(`update feed set user_id = ${eve.user.id}, owner_id = ${owner}`)
    expect(await read()).toBe(200)
  }
})

test('an account that is made the owner of what another has does not sign in', async () => {
  const { ada, eve, db, run, use } = await openAttacked()
  const [of, to] = [await getOwnAccount(db, ada.user.id), await getOwnAccount(db, eve.user.id)]
  await run(`update owner set user_id = null, team_id = (select max(id) + 1000 from team) where id = ${to}`).catch(() =>
    run(`delete from owner where id = ${to}`),
  )
  await run(`update owner set user_id = ${eve.user.id} where id = ${of}`)
  expect(await use('eve', eve.key)).toBe(401)
})

test('a store without its data keys gets no new ones', async () => {
  const { db, run } = await openAttacked()
  await run('delete from data_key')
  await expect(openVault(db, keySource(Buffer.alloc(keyLength, 5)), { now: 0 })).rejects.toMatchObject({
    code: 'store_unusable',
    message: 'The store has lost its data keys.',
  })
  expect(await db.selectFrom('data_key').selectAll().execute()).toEqual([])
})

test('rows whose tags were taken away get no new ones', async () => {
  const { db, eve, use, run, foreign } = await openAttacked()
  await run(`update "user" set role = 'admin', role_tag = null, password_tag = null`)
  await run('update api_key set tag = null')
  const count = (await foreign()).length
  expect(count).toBeGreaterThan(4)
  // As at the next start.
  await openVault(db, keySource(Buffer.alloc(keyLength, 5)), { now: 0 })
  expect(await foreign()).toHaveLength(count)
  expect(await use('eve', eve.key)).toBe(401)
})
