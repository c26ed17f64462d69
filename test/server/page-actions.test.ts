import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { actions } from '../../src/server/pages/actions.ts'
import { dump } from '../operations/service.ts'
import { fill, openSite, type Site } from './site.ts'

let site: Site
let ids: Awaited<ReturnType<typeof fill>>
let ada: Awaited<ReturnType<Site['signIn']>>
let eve: Awaited<ReturnType<Site['signIn']>>
let close: (() => Promise<void>) | undefined

beforeAll(async () => {
  site = await openSite({}, (done) => {
    close = done
  })
  ids = await fill(site)
  ada = await site.signIn('ada')
  eve = await site.signIn('eve')
})
afterAll(() => close?.())

const send = (path: string, fields: Record<string, string>, by = ada) =>
  site.submit(path, { _wpnonce: by.nonce, next: '/account', ...fields }, by.headers)
const read = async (path: string) => (await site.call(path, { headers: site.ada.headers })).body

describe('each form of a page', () => {
  const toPath = (path: string) =>
    path.replace(/\{(\w+)\}/g, (_, name: string) => {
      const known: Record<string, string | undefined> = {
        ...(ids as Record<string, string>),
        login: 'ada',
        id: '2',
        channel: 'slack',
      }
      return known[name] ?? '1'
    })

  test.each(actions.map(({ path }) => path))('%s does nothing without the nonce of its session', async (path) => {
    const before = await dump(site.db)
    for (const fields of [{}, { _wpnonce: '' }, { _wpnonce: 'wrong' }, { _wpnonce: eve.nonce }]) {
      expect((await site.submit(toPath(path), fields as never, ada.headers)).status).toBe(403)
    }
    const foreign = { ...ada.headers, 'sec-fetch-site': 'cross-site' }
    expect((await site.submit(toPath(path), { _wpnonce: ada.nonce }, foreign)).status).toBe(403)
    expect(await dump(site.db)).toEqual(before)
  })
})

test('each form that stays on its page confirms what it did, in words of relt alone', async () => {
  const unconfirmed = actions.filter((action) => 'lead' in action).map(({ path }) => path)
  expect(unconfirmed).toEqual(['/exceptions', '/account/keys', '/account/feeds'])
  const sent = await send('/projects/2/subscription', { wanted: 'yes', next: '/projects?query=x' })
  const location = sent.headers.get('location')!
  expect(location).toBe('/projects?query=x&done=followed')
  const page = await site.open(location, { headers: ada.headers })
  expect(page.body).toContain('<p role="status">The project is followed now.</p>')
  // Links of the page do not repeat it.
  expect(page.body).not.toContain('done=')
  const other = await site.open('/projects?done=constructor', { headers: ada.headers })
  expect(other.body).not.toContain('role="status"')
  const missing = await site.open('/clusters/clus_none', { headers: ada.headers })
  expect([missing.status, missing.body]).toEqual([404, expect.stringContaining('aria-label="Main"')])
})

test('a key is made with a scope and a last day, and shown once', async () => {
  const { status, body } = await send('/account/keys', { name: 'ci', scope: 'upload', expires_on: '2026-12-31' })
  expect(status).toBe(200)
  expect(body).toContain('Its scope is upload')
  const [, secret] = /<code class="command">([^<]+)<\/code>/.exec(body)!
  const { keys } = await read('/api-keys')
  expect(keys.find(({ name }: { name: string }) => name === 'ci')).toMatchObject({
    scope: 'upload',
    expires_at: '2026-12-31 23:59:59',
  })
  expect((await site.open('/account', { headers: ada.headers })).body).not.toContain(secret)
  expect((await send('/account/keys', { name: '', scope: 'read' })).status).toBe(400)
})

test('webhooks and settings of the account are changed', async () => {
  await send('/account/webhooks/slack', { address: 'https://hooks.slack.com/services/T0/B0/secret-part' })
  const page = await site.open('/account', { headers: ada.headers })
  expect(page.body).toContain('hooks.slack.com')
  expect(page.body).not.toContain('secret-part')
  const file = await site.open('/account?table=webhooks&format=json', { headers: ada.headers })
  expect(file.body).not.toContain('secret-part')
  expect((await send('/account/webhooks/slack', { address: 'http://10.0.0.1/x' })).status).toBe(400)
  await send('/account/webhooks/slack', { address: '' })
  expect((await read('/dashboard')).slack_webhook).toBeFalsy()
  expect((await send('/account/webhooks/nothing', { address: '' })).status).toBe(404)
  await send('/account/notifications', {
    ...{ time_zone: 'Europe/Berlin', digest_hour: '7', digest_weekday: 'friday', quiet_hours: '22:00-07:00' },
    ...{ quiet_hours_except: 'high', min_severity: 'none', only_what_runs: 'yes', cluster_mails: 'no' },
    ...{ cluster_events: 'gate.failed', cluster_scope: 'label:prod' },
    ...{ owner_scope: 'payments', fleet_report: 'weekly' },
  })
  expect(await read('/dashboard')).toMatchObject({
    ...{ time_zone: 'Europe/Berlin', digest_hour: 7, digest_weekday: 'friday', quiet_hours: '22:00-07:00' },
    ...{ only_what_runs: true, cluster_mails: false, cluster_scope: 'label:prod' },
    ...{ owner_scope: 'payments', fleet_report: 'weekly' },
  })
  expect((await send('/account/notifications', { time_zone: 'Nowhere/Town' })).status).toBe(400)
})

test('the interval of a cluster is set and taken away', async () => {
  const { items } = await read('/clusters')
  const path = `/clusters/${items[0].cluster_id}`
  await send(`${path}/interval`, { every: '24h' })
  expect((await read(path)).expected_every).toBe(86_400)
  expect((await site.open(path, { headers: ada.headers })).body).toContain('value="1d"')
  expect((await send(`${path}/interval`, { every: 'soon' })).status).toBe(400)
  await send(`${path}/interval`, { every: '' })
  expect((await read(path)).expected_every).toBeNull()
  expect((await send(`${path}/interval`, { every: '7d' }, eve)).status).toBe(404)
})

test('owners of a team add, change and remove members; others do not', async () => {
  const team = { team_name: 'platform' }
  const members = async () =>
    Object.fromEntries(
      (await read('/teams/platform')).items.map((each: { login: string; role: string }) => [each.login, each.role]),
    )
  expect((await send('/team/members', { ...team, login: 'eve', role: 'viewer' }, eve)).status).toBe(404)
  expect((await send('/team/members', { ...team, login: 'eve', role: 'viewer' })).status).toBe(303)
  expect(await members()).toEqual({ ada: 'owner', eve: 'viewer' })
  const page = await site.open('/team?team=platform', { headers: eve.headers })
  expect(page.body).toContain('You are viewer')
  expect(page.body).not.toContain('action="/team/members')
  expect((await send('/team/members/ada/remove', team, eve)).status).toBe(403)
  await send('/team/members/eve/role', { ...team, role: 'member' })
  expect(await members()).toEqual({ ada: 'owner', eve: 'member' })
  expect((await send('/team/members/ada/remove', team)).status).toBe(409)
  await send('/team/members/eve/remove', team)
  expect(await members()).toEqual({ ada: 'owner' })
})
