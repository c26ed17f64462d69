import { expect, onTestFinished, test } from 'vitest'
import { toContent } from '../../src/notify/content.ts'
import { addMember } from '../../src/operations/accounts/grant.ts'
import { activateDelivery } from '../../src/operations/notifications/activate-delivery.ts'
import { openCarrier } from '../../src/operations/notifications/carrier.ts'
import { createSender } from '../../src/operations/notifications/deliver.ts'
import { routeEvents } from '../../src/operations/notifications/route-events.ts'
import { deliverOnce } from '../../src/operations/notifications/run-delivery.ts'
import { runDigests, scheduleDigests } from '../../src/operations/notifications/run-digests.ts'
import { readUnsubscribeToken } from '../../src/operations/notifications/unsubscribe.ts'
import { deleteTeam, getTeamId, renameTeam, setTeamEmail } from '../../src/store/accounts/team.ts'
import { openReceivers } from '../helpers/carrier.ts'
import { openSmtp } from '../notify/helpers/smtp.ts'
import { dump } from '../operations/service.ts'
import { useKey } from './conformance/world.ts'
import { openSite, password } from './site.ts'

const slugs = ['argo-cd', 'nginx', 'keda'] as const
const slack = (part: string) => `https://hooks.slack.com/services/T0/B0/${part}-secret`

/** Ada owns the team, Bob is a member, Vera a viewer; Eve is outside. */
async function openTeamOfThree() {
  const site = await openSite()
  const { db, service, clock } = site
  const teamId = await getTeamId(db, 'platform')
  const join = async (login: string, role: 'member' | 'viewer') => {
    const one = await site.signUp(login, { plan: 'pro', password })
    await addMember(db, await service.vault(), { teamId, userId: one.user.id, role })
    return one
  }
  const bob = await join('bob', 'member')
  const vera = await join('vera', 'viewer')
  const { received, carrier } = openReceivers()
  const store = { db, vault: service.vault }
  await activateDelivery(store, carrier.channels, clock.now)
  const ask = (path: string, { headers }: { headers: Record<string, string> }, body?: object, method?: string) =>
    site.call(path, { headers, ...(body && { body }), ...(method && { method }) })
  const forTeam = (one: { headers: Record<string, string> }) => ({
    headers: { ...one.headers, 'x-relt-team': 'platform' },
  })
  return {
    ...site,
    ...{ bob, vera, ask, forTeam, store, received },
    release: (version: string, more: object = {}) =>
      ask('/add-release', site.ada, { product_id: 1, version, type: 'app', ...more }),
    deliver: async () => {
      received.length = 0
      await routeEvents(store, clock.now)
      await createSender(store, { carrier, now: () => clock.now }).drain()
      return received.map(({ channel, message }) => `${channel} ${message.events.map(({ type }) => type).join()}`)
    },
  }
}

test('a team of three with one Slack gets one message an event, a member with own settings another', async () => {
  const { ada, bob, vera, eve, ask, forTeam, upload, release, deliver, db } = await openTeamOfThree()
  const settings = { slack_webhook: slack('team'), cluster_events: 'report.regressed' }
  expect((await ask('/account/settings', forTeam(bob), settings, 'PUT')).status).toBe(200)
  expect((await ask('/toggle-sub', forTeam(ada), { product_id: 1 })).body).toMatchObject({ subscribed: true })
  await release('v9.0.0')
  expect(await deliver()).toEqual(['slack release.published'])

  const report = { cluster: 'shop', passed: ['SEC002'], generatedAt: '2026-08-30T00:00:00Z' }
  await upload([{ check: 'SEC001' }], report)
  await upload([{ check: 'SEC001' }, { check: 'SEC002', severity: 'critical' }], {
    ...report,
    generatedAt: '2026-08-31T00:00:00Z',
  })
  await deliver()
  const sent = await db.selectFrom('delivery').select(['kind', 'channel']).where('kind', '=', 'regressed').execute()
  expect(sent).toEqual([{ kind: 'regressed', channel: 'slack' }])

  // Bob also hears of it himself, and follows something that the team does not.
  await ask('/account/settings', bob, { slack_webhook: slack('bob') }, 'PUT')
  await ask('/toggle-sub', bob, { product_id: 1 })
  await ask('/toggle-sub', bob, { product_id: 2 })
  await release('v9.1.0')
  expect(await deliver()).toEqual(['slack release.published', 'slack release.published'])
  await release('v2.0.0', { product_id: 2 })
  expect(await deliver()).toEqual(['slack release.published'])

  // Nobody outside, and each member sees what the team got.
  for (const member of [ada, bob, vera]) {
    expect((await ask('/deliveries', forTeam(member))).body.total).toBe(3)
  }
  expect((await ask('/deliveries', bob)).body.total).toBe(2)
  expect((await ask('/deliveries', eve)).body.total).toBe(0)
  expect((await ask('/deliveries', forTeam(eve))).status).toBe(404)
})

test('a viewer reads the settings of the team without its secrets, and changes nothing', async () => {
  const { ada, vera, eve, ask, call, forTeam, db } = await openTeamOfThree()
  await ask('/account/settings', forTeam(ada), { slack_webhook: slack('team'), quiet_hours: '22:00-07:00' }, 'PUT')
  const { subscription_id } = (await ask('/toggle-sub', forTeam(ada), { product_id: 1 })).body
  await ask('/update-settings', forTeam(ada), { subscription_id, generic_webhook: 'https://x.example/part-secret' })
  for (const one of [vera, eve]) await useKey({ call, db }, one.headers)
  const before = await dump(db)
  const calls: [string, object, string?][] = [
    ['/account/settings', { slack_webhook: slack('vera') }, 'PUT'],
    ['/toggle-sub', { product_id: 1 }],
    ['/update-settings', { subscription_id, notifications_paused: true }],
    ['/test-notification', {}],
    ['/trigger-digest-email', {}],
    ['/webhook-secret', {}],
    ['/labels', { label_name: 'x', label_color: '#000000' }],
    ['/gate-policy', { policy: null }, 'PUT'],
  ]
  for (const [path, body, method] of calls) {
    expect([path, (await ask(path, forTeam(vera), body, method)).status]).toEqual([path, 403])
    expect([path, (await ask(path, forTeam(eve), body, method)).status]).toEqual([path, 404])
  }
  expect(await dump(db)).toEqual(before)
  // Their own subscription is another one.
  expect((await ask('/update-settings', ada, { subscription_id, notifications_paused: true })).status).toBe(404)
  for (const path of ['/dashboard', '/subscriptions', '/teams/platform']) {
    const { body } = await ask(path, forTeam(vera))
    expect(JSON.stringify(body)).not.toContain('secret')
  }
  const { body } = await ask('/dashboard', forTeam(vera))
  expect(body).toMatchObject({ quiet_hours: '22:00-07:00', subscription_count: 1, user_login: 'vera' })
  expect(body.slack_webhook).toContain('hooks.slack.com')
  expect((await ask('/dashboard', ada)).body).toMatchObject({ quiet_hours: '', slack_webhook: null })
  expect((await ask('/dashboard', forTeam(ada))).body.slack_webhook).toBe(slack('team'))
})

test('a team has quiet hours and one digest by mail', async () => {
  const { ada, bob, ask, forTeam, release, deliver, store, received, clock, db } = await openTeamOfThree()
  await setTeamEmail(db, 'platform', 'platform@example.com')
  const { subscription_id } = (await ask('/toggle-sub', forTeam(bob), { product_id: 1 })).body
  await ask('/update-settings', forTeam(bob), { subscription_id, email_enabled: true, email_frequency: 'weekly' })
  await ask('/account/settings', forTeam(ada), { digest_hour: 6, slack_webhook: slack('team') }, 'PUT')
  await ask('/account/settings', forTeam(ada), { quiet_hours: '00:00-23:59' }, 'PUT')
  await scheduleDigests(store, clock.now)
  await release('v9.0.0')
  expect(await deliver()).toEqual([])
  clock.now += 7 * 86_400
  await runDigests(store, clock.now)
  const sent = await deliver()
  expect(sent.filter((each) => each.startsWith('email'))).toHaveLength(1)
  expect(received.map(({ channel }) => channel).sort()).toEqual(['email', 'slack'])
})

test.each([
  ['attached', {}],
  ['linked', { RELT_PUBLIC_URL: 'https://relt.example' }],
])('a team gets a report of its clusters once a week by mail, the page %s', async (_, more) => {
  const { ada, ask, forTeam, upload, store, clock, db } = await openTeamOfThree()
  const smtp = await openSmtp()
  const env = { RELT_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`, RELT_SMTP_FROM: 'relt@relt.example', ...more }
  const carrier = (await openCarrier(env, () => clock.now, store))!
  onTestFinished(() => carrier.close())
  const week = async () => {
    clock.now += 7 * 86_400
    await deliverOnce(store, { carrier, now: () => clock.now })
    return smtp.received.splice(0)
  }
  await setTeamEmail(db, 'platform', 'platform@example.com')
  await ask('/account/settings', forTeam(ada), { fleet_report: 'weekly', digest_weekday: 'friday' }, 'PUT')
  expect((await ask('/teams/platform', forTeam(ada))).body.notifications.settings.fleet_report).toBe('weekly')
  await deliverOnce(store, { carrier, now: () => clock.now })
  expect(smtp.received).toEqual([])
  // Without clusters there is nothing to report.
  expect(await week()).toEqual([])

  await upload([{ check: 'SEC001', severity: 'critical' }], { cluster: 'shop' })
  const [mail, ...others] = await week()
  expect([mail!.to, others]).toEqual([['platform@example.com'], []])
  expect(mail!.mail.subject).toMatch(/^Fleet report: /)
  const text = mail!.mail.text!
  if ('RELT_PUBLIC_URL' in more) {
    expect(text).toContain('https://relt.example/trends')
    expect(mail!.mail.attachments).toEqual([])
    const token = /unsubscribe\?token=(\S+)/.exec(text)![1]!
    expect(readUnsubscribeToken(await store.vault(), token)).toMatchObject({ scope: 'fleet' })
  } else {
    const [page] = mail!.mail.attachments
    expect(page).toMatchObject({ mimeType: 'text/html', filename: expect.stringMatching(/^relt-fleet-[\d-]+\.html$/) })
    expect(new TextDecoder().decode(page!.content as ArrayBuffer)).toContain('shop')
  }
  await ask('/account/settings', forTeam(ada), { fleet_report: 'off' }, 'PUT')
  expect(await week()).toEqual([])
})

test('a digest has what the owners of a team run, and what nobody owns, apart', async () => {
  const { ada, ask, forTeam, release, store, clock, db } = await openTeamOfThree()
  await setTeamEmail(db, 'platform', 'platform@example.com')
  const projects = await db
    .selectFrom('project')
    .select(['id', 'slug'])
    .where('slug', 'in', [...slugs])
    .execute()
  const toId = (slug: string) => projects.find((project) => project.slug === slug)!.id
  for (const slug of slugs) {
    const { subscription_id } = (await ask('/toggle-sub', forTeam(ada), { product_id: toId(slug) })).body
    await ask('/update-settings', forTeam(ada), { subscription_id, email_enabled: true, email_frequency: 'weekly' })
  }
  const owners = [
    { owner: 'payments', namespace: 'pay' },
    { owner: 'web', namespace: 'shop' },
  ]
  await ask('/owners', forTeam(ada), { owners }, 'PUT')
  await ask('/account/settings', forTeam(ada), { owner_scope: 'payments', cluster_mails: false }, 'PUT')
  const image = (fullRef: string, namespace: string) => ({
    ...{ fullRef, namespace, workloadKind: 'Deployment', workloadName: 'app' },
  })
  const images = [
    image('quay.io/argoproj/argocd:v2.10.0', 'pay'),
    image('nginx:1.25.0', 'shop'),
    image('ghcr.io/kedacore/keda:2.18.3', 'tools'),
  ]
  const report = { metadata: { clusterName: 'shop' }, checks: {}, artifacts: { images } }
  await ask('/cluster-reports', forTeam(ada), { environment: 'prod', report })
  const { received, carrier } = openReceivers()
  const deliver = () => deliverOnce(store, { carrier, now: () => clock.now })
  await deliver()
  for (const slug of slugs) await release('99.0.0', { product_id: toId(slug) })
  clock.now += 7 * 86_400
  await deliver()
  const [digest] = received.map(({ message }) => message).filter(({ type }) => type === 'digest')
  const items = toContent(digest!).items.map(({ title, facts, command }) => [
    title,
    command,
    facts.flatMap(({ name, value }) => (name === 'Owner' ? [value] : [])).join(),
  ])
  expect(items).toEqual([
    [expect.stringContaining('Argo CD'), 'relt projects releases argo-cd 99.0.0', 'payments'],
    [expect.stringContaining('KEDA'), 'relt projects releases keda 99.0.0', 'nobody'],
  ])
})

test('the account of a team is nobody who signs in, and goes with the team', async () => {
  const { ada, ask, forTeam, db, submit } = await openTeamOfThree()
  await ask('/account/settings', forTeam(ada), { slack_webhook: slack('team') }, 'PUT')
  await ask('/toggle-sub', forTeam(ada), { product_id: 1 })
  await renameTeam(db, 'platform', 'infra')
  expect(await db.selectFrom('user').select('login').where('team_id', 'is not', null).execute()).toEqual([
    { login: 'team/infra' },
  ])
  for (const login of ['team/infra', 'team/platform']) {
    expect((await submit('/sign-in', { username: login, password: '' })).status).not.toBe(303)
    const body = { login, role: 'viewer' }
    expect((await ask('/teams/infra/members', ada, body)).status).toBe(404)
  }
  const owned = db.selectFrom('owner').innerJoin('user', 'user.id', 'owner.user_id').select('login')
  expect(await owned.where('user.team_id', 'is not', null).execute()).toEqual([])
  await deleteTeam(db, 'infra')
  for (const table of ['subscription', 'webhook'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  }
  expect(await db.selectFrom('user').select('login').where('team_id', 'is not', null).execute()).toEqual([])
})

test('pages show whose subscriptions and settings they are about, and a viewer no form', async () => {
  const { open, signIn, submit, ask, ada, forTeam } = await openTeamOfThree()
  const [bob, vera, eve] = [await signIn('bob'), await signIn('vera'), await signIn('eve')]
  const send = (path: string, fields: Record<string, string>, by = bob) =>
    submit(`${path}?team=platform`, { _wpnonce: by.nonce, next: '/team', ...fields }, by.headers)
  expect((await send('/projects/1/subscription', { wanted: 'yes' })).status).toBe(303)
  expect((await send('/account/webhooks/slack', { address: slack('team') })).status).toBe(303)
  expect((await send('/account/notifications', { quiet_hours: '21:00-06:00' })).status).toBe(303)
  const policy = "gate:\r\n  fail_on: ['new>=high']\r\n"
  expect((await send('/team/policy', { policy })).status).toBe(303)
  for (const [path, fields] of [
    ['/projects/1/subscription', { wanted: 'no' }],
    ['/account/webhooks/slack', { address: '' }],
    ['/account/notifications', { quiet_hours: '' }],
    ['/team/policy', { policy: '' }],
  ] as [string, Record<string, string>][]) {
    expect((await send(path, fields, vera)).status).toBe(403)
    expect((await send(path, fields, eve)).status).toBe(404)
  }
  expect((await ask('/gate-policy', ada)).body).toMatchObject({
    policy: policy.replaceAll('\r', ''),
    changed_by: 'bob',
  })
  expect((await ask('/subscriptions', forTeam(ada))).body.subscription_count).toBe(1)
  const read = async (path: string, by: typeof bob) => (await open(path, { headers: by.headers })).body as string
  for (const path of ['/subscriptions', '/projects', '/projects/1']) {
    const body = await read(`${path}?team=platform`, vera)
    expect(body, path).toMatch(/[Tt]eam (<[^>]+>)?platform/)
    expect(body.match(/<form class="action"/g), path).toBeNull()
    expect(body).not.toContain('team-secret')
    expect((await open(`${path}?team=platform`, { headers: eve.headers })).status, path).toBe(404)
  }
  expect(await read('/subscriptions?team=platform', bob)).toContain('The team follows 1 project')
  expect(await read('/subscriptions', bob)).toContain('You follow 0 projects')
  const account = await read('/account?team=platform', vera)
  expect(account).toContain('They are those of team ')
  expect(account).not.toMatch(/action="\/account\/(?:webhooks|notifications)|team-secret/)
  expect(await read('/team', vera)).toMatch(/hooks\.slack\.com[\s\S]*21:00-06:00[\s\S]*new&gt;=high/)
})
