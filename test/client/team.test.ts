import { expect, test } from 'vitest'
import { openAdmin } from '../../src/admin/admin.ts'
import { Spool } from '../../src/spool/spool.ts'
import { runCli, temporaryFolder, testNow } from '../helpers/cli.ts'
import { createKey } from '../helpers/create-key.ts'
import { smallReports } from '../helpers/small-store.ts'
import { refusalFor } from '../operations/service.ts'
import { scan, toBytes } from '../reports/scan.ts'
import { json, openHostile } from './hostile.ts'
import { openClient, openServerWithUser } from './open.ts'
import { openOtherServer } from './other-server.ts'

/** A server whose user ada is in the team platform, and grace, too. */
async function openTeamServer() {
  const { server, password, home } = await openServerWithUser()
  const store = { env: { RELT_HOME: home, RELT_KEYCHAIN: 'off' }, now: () => testNow }
  const admin = await openAdmin(store)
  const teams = await admin.teams()
  await teams.create('platform', 'ada')
  await admin.addUser({ login: 'grace', role: 'user', plan: 'pro' })
  await teams.addMember('platform', 'grace', { role: 'viewer' })
  const grace = await createKey(store, 'grace')
  await admin.close()
  const runAs =
    (username: string, secret: string) =>
    (argv: string, more: object = {}) =>
      runCli(argv.split(' '), {
        home: temporaryFolder(),
        env: { RELT_SERVER: server.url, RELT_USERNAME: username, RELT_PASSWORD: secret, ...more },
        stdin: JSON.stringify(smallReports[0]),
      })
  return { server, ada: runAs('ada', password), grace: runAs('grace', grace) }
}

test('what a CI account uploads is seen by its colleagues', async () => {
  const { ada, grace } = await openTeamServer()
  expect(await ada('reports upload -')).toMatchObject({ code: 0 })
  expect(JSON.parse((await grace('reports list --json')).stdout)).toMatchObject({ total: 1 })
  expect(await grace('reports upload -')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('This needs the role member in the team platform; your role is viewer.'),
  })
})

test('--team and RELT_TEAM choose the team, and --team goes first', async () => {
  const { ada } = await openTeamServer()
  await ada('reports upload -')
  const total = async (argv: string, env = {}) => JSON.parse((await ada(`${argv} --json`, env)).stdout).total
  expect(await total('reports list --team me')).toBe(0)
  expect(await total('reports list', { RELT_TEAM: 'me' })).toBe(0)
  expect(await total('reports list --team platform', { RELT_TEAM: 'me' })).toBe(1)
  expect(await ada('reports list --team other')).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('error: You are in no team named other.'),
  })
})

test('owners manage the members, and nobody else does', async () => {
  const { ada, grace } = await openTeamServer()
  expect(await grace('teams set-role platform grace owner')).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('Only owners change the members of team platform; your role is viewer.'),
  })
  expect(await ada('teams set-role platform grace member')).toMatchObject({
    code: 0,
    stderr: '✓ Changed the role of grace in team platform to member\n',
  })
  expect((await ada('teams remove platform grace')).code).toBe(0)
  expect(await ada('teams add platform grace')).toMatchObject({
    code: 0,
    stderr: '✓ Added grace to team platform as viewer\n',
  })
  expect((await grace('teams list')).stdout).toMatch(/^platform +viewer +yes +yes$/m)
})

test('auth status shows the team and the role', async () => {
  const { ada, grace } = await openTeamServer()
  expect((await grace('auth status')).stdout).toContain('platform (viewer)')
  const { items: servers } = JSON.parse((await ada('auth status --team me --json')).stdout)
  expect(servers).toMatchObject([{ team: null, works: true }])
})

test('a server without teams gets nothing to store for one', async () => {
  const { server, asked } = await openOtherServer('reduced')
  const client = openClient({ ...server, team: 'platform' })
  const message = 'usage: This server has no teams, so it cannot act for platform.'
  const report = Buffer.from(JSON.stringify(smallReports[0]))
  expect(await refusalFor(client.call('uploadReport', { body: {}, report }))).toBe(message)
  expect([...asked]).toEqual([])
  expect(await refusalFor(client.call('listReports', {}))).toBe(message)
})

test('an earlier server of ours, which ignores the team, is refused before a change', async () => {
  const answer = JSON.stringify({ success: true, user_login: 'ada', plan: 'Pro' })
  const old = await openHostile((_request, response) => response.writeHead(200, json).end(answer))
  const credentials = async () => ({ username: 'ada', password: 'x' })
  const client = openClient({ url: old.url, credentials, team: 'platform' })
  const call = client.call('createConfig', { body: { name: 'shop' } })
  expect(await refusalFor(call)).toBe('usage: This server has no teams, so it cannot act for platform.')
  expect(old.requests.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET /api-keys/current'])
})

test('an upload that waited is sent for the team that it was made for', async () => {
  const { server, ada } = await openTeamServer()
  const home = temporaryFolder()
  const run = (argv: string) => ada(argv, { RELT_HOME: home })
  // With the server's address, as if it had been unreachable.
  const spool = new Spool({ RELT_HOME: home }, () => {})
  const entry = { cluster: 'shop', environment: 'prod', idempotencyKey: 'k', body: {}, report: toBytes(scan([{}])) }
  spool.put({ ...entry, server: { name: null, url: server.url, user: 'ada', team: 'me' } }, testNow)
  expect(await run('spool send --team platform')).toMatchObject({ code: 0 })
  const total = async (team: string) => JSON.parse((await run(`reports list --json --team ${team}`)).stdout).total
  expect([await total('me'), await total('platform')]).toEqual([1, 0])
})

test('the store on this machine has no teams', async () => {
  const home = temporaryFolder()
  const run = (argv: string, env = {}) => runCli(argv.split(' '), { home, env })
  expect(await run('reports list --team platform')).toMatchObject({
    code: 2,
    stderr: 'error: --team needs a server: the store on this machine belongs to one user.\n',
  })
  expect(await run('reports list', { RELT_TEAM: 'platform' })).toMatchObject({ code: 0 })
})
