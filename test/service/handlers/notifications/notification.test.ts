import { describe, expect, test } from 'vitest'
import { shortEmail, shortUrl } from '../../../../src/util/short-address.ts'
import { at, day, now, openRoutes, refusalFor } from '../../harness.ts'

const queued = 'queued: delivery is not set up on this server'
const notHere = 'delivery is not set up on this server'
const result = (channel: string, error = notHere) => ({ channel, delivered: false, http_status: null, error })
const secret = 'xoxSECRETxox'

test.each(['testNotification', 'sendTestNotification', 'triggerDigest'] as const)(
  '%s refuses who is not signed in',
  async (name) => {
    const { as } = await openRoutes()
    expect(await refusalFor(as(undefined, name))).toBe('unauthenticated: Authentication is required.')
  },
)

test('refuses to retry a notification that never had an address', async () => {
  const { as, ada } = await openRoutes()
  await as(ada, 'testNotification', { body: { channel: 'slack' } })
  const { items } = await as(ada, 'listDeliveries')
  expect(await refusalFor(as(ada, 'retryDelivery', { params: { delivery_id: items[0]!.delivery_id } }))).toBe(
    'conflict: This notification has no address to send to.',
  )
})

describe.each(['testNotification', 'sendTestNotification'] as const)('%s', (name) => {
  test('notes one delivery for each channel that is set up, without its secrets', async () => {
    const { as, ada, subscribe, ids } = await openRoutes()
    const subscription_id = await subscribe(ada, 'nginx')
    await as(ada, 'updateAccountSettings', {
      body: {
        slack_webhook: `https://hooks.slack.com/services/T0/B0/${secret}`,
        teams_webhook: `https://x.example/webhookb2/${secret}?sig=${secret}`,
      },
    })
    await as(ada, 'updateSettings', { body: { subscription_id, generic_webhook: `https://g.example/${secret}` } })

    expect(await as(ada, name, { body: {} })).toEqual({
      success: true,
      results: [result('email'), result('slack'), result('teams')],
    })
    expect((await as(ada, name, { body: { subscription_id } })).results.map(({ channel }) => channel)).toEqual([
      'email',
      'slack',
      'teams',
      'generic',
    ])
    const { logs } = await as(ada, 'getDashboardLogs')
    expect(JSON.stringify(logs)).not.toContain(secret)
    // Channels are noted in parallel, which shows on PostgreSQL.
    const toPosition = (channel: string) => ['generic', 'teams', 'slack', 'email'].indexOf(channel)
    const sorted = logs.toSorted(
      (a, b) =>
        Number(a.subscription_id === null) - Number(b.subscription_id === null) ||
        toPosition(a.channel) - toPosition(b.channel),
    )
    expect(sorted.map((log) => [log.channel, log.target, log.subscription_id])).toEqual([
      ['generic', 'https://g.example/…', subscription_id],
      ['teams', 'https://x.example/webhookb2/…', subscription_id],
      ['slack', 'https://hooks.slack.com/services/…', subscription_id],
      ['email', 'a…@example.com', subscription_id],
      ['teams', 'https://x.example/webhookb2/…', null],
      ['slack', 'https://hooks.slack.com/services/…', null],
      ['email', 'a…@example.com', null],
    ])
    expect(sorted[0]).toEqual({
      id: expect.any(Number),
      created_at: at(0),
      kind: 'test',
      channel: 'generic',
      target: 'https://g.example/…',
      subscription_id,
      product_id: ids.nginx,
      name: 'nginx',
      version: null,
      status: 'skipped',
      attempts: 0,
      http_status: null,
      error: notHere,
    })
  })

  test('skips a channel that is asked for and not set up', async () => {
    const { as, bob } = await openRoutes()
    expect(await as(bob, name, { body: {} })).toEqual({ success: true, results: [] })
    const missing = { email: 'the account has no email address', slack: 'no slack_webhook is set' }
    for (const [channel, error] of Object.entries(missing)) {
      expect((await as(bob, name, { body: { channel } })).results).toEqual([result(channel, error)])
    }
    expect((await as(bob, 'getDashboardLogs')).logs).toMatchObject([
      { channel: 'slack', status: 'skipped', target: '', error: 'no slack_webhook is set' },
      { channel: 'email', status: 'skipped', target: '' },
    ])
  })

  test('takes the webhooks of the account only where the subscription does', async () => {
    const { as, ada, subscribe } = await openRoutes()
    const subscription_id = await subscribe(ada, 'nginx')
    await as(ada, 'updateAccountSettings', { body: { slack_webhook: 'https://account.example/a/b' } })
    const body = { subscription_id, channel: 'slack' }
    const target = async () => {
      await as(ada, name, { body })
      return (await as(ada, 'getDashboardLogs')).logs[0]!.target
    }
    expect(await target()).toBe('https://account.example/a/…')
    await as(ada, 'updateSettings', { body: { subscription_id, slack_webhook: 'https://own.example/a/b' } })
    expect(await target()).toBe('https://own.example/a/…')
    await as(ada, 'updateSettings', { body: { subscription_id, slack_webhook: '', use_global_webhooks: false } })
    expect(await target()).toBe('')
  })

  test('knows no subscription of others, and no other channel', async () => {
    const { as, ada, bob, subscribe } = await openRoutes()
    const foreign = await subscribe(bob, 'nginx')
    for (const subscription_id of [foreign, 999_999, 0]) {
      expect(await refusalFor(as(ada, name, { body: { subscription_id } }))).toBe(
        `not_found: No subscription with id ${subscription_id}.`,
      )
    }
    expect(await refusalFor(as(ada, name, { body: { channel: 'sms' } }))).toMatch(/^invalid_param/)
    expect((await as(ada, 'getDashboardLogs')).logs).toEqual([])
  })

  test('keeps the log when the subscription goes', async () => {
    const { as, ada, subscribe } = await openRoutes()
    const subscription_id = await subscribe(ada, 'nginx')
    await as(ada, name, { body: { subscription_id } })
    await subscribe(ada, 'nginx')
    expect((await as(ada, 'getDashboardLogs')).logs).toMatchObject([{ subscription_id: null, name: 'nginx' }])
  })
})

describe('trigger-digest-email', () => {
  test('counts the releases of the day or week, of subscriptions that want such a digest', async () => {
    const { as, ada, subscribe } = await openRoutes()
    const [argo, nginx, harbor] = [
      await subscribe(ada, 'argo-cd'),
      await subscribe(ada, 'nginx'),
      await subscribe(ada, 'harbor'),
    ]
    const digest = async (body: object) => (await as(ada, 'triggerDigest', { body })).releases
    const set = (subscription_id: number, settings: object) =>
      as(ada, 'updateSettings', { body: { subscription_id, ...settings } })
    expect(await digest({})).toBe(0)
    await set(nginx, { email_frequency: 'daily' })
    await set(argo, { email_frequency: 'weekly' })
    await set(harbor, { email_frequency: 'weekly' })
    expect(await digest({})).toBe(1)
    expect(await digest({ frequency: 'daily' })).toBe(1)
    expect(await digest({ frequency: 'weekly' })).toBe(4)
    await set(harbor, { notifications_paused: true })
    expect(await digest({ frequency: 'weekly' })).toBe(2)
    await set(argo, { email_enabled: false })
    expect(await digest({ frequency: 'weekly' })).toBe(0)
    expect(await refusalFor(digest({ frequency: 'per_app' }))).toBe('invalid_param: Invalid parameter(s): frequency')
  })

  test('notes one delivery and says that nothing was sent', async () => {
    const { as, ada, subscribe, clock } = await openRoutes()
    const subscription_id = await subscribe(ada, 'nginx')
    await as(ada, 'updateSettings', { body: { subscription_id, email_frequency: 'daily' } })
    expect(await as(ada, 'triggerDigest', { body: { frequency: 'daily' } })).toEqual({
      success: true,
      sent: false,
      releases: 1,
    })
    clock.now = now + day
    await as(ada, 'triggerDigest', { body: { frequency: 'daily' } })
    expect((await as(ada, 'getDashboardLogs')).logs).toMatchObject([
      { status: 'skipped', error: 'no new releases' },
      { channel: 'email', target: 'a…@example.com', status: 'pending', error: queued, subscription_id: null },
    ])
  })

  test('is skipped for an account without an address', async () => {
    const { as, bob } = await openRoutes()
    expect(await as(bob, 'triggerDigest', { body: {} })).toEqual({ success: true, sent: false, releases: 0 })
    expect((await as(bob, 'getDashboardLogs')).logs).toMatchObject([
      { status: 'skipped', error: 'the account has no email address' },
    ])
  })
})

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', 'https://hooks.slack.com/services/…'],
  ['https://a.example:8443/api/x', 'https://a.example:8443/api/…'],
  ['https://a.example', 'https://a.example/…'],
  ['https://a.example/secret', 'https://a.example/…'],
  ['https://a.example/a1b2c3/notify', 'https://a.example/…'],
  ['https://user:secret@a.example/v1/x?token=secret#secret', 'https://a.example/v1/…'],
  ['no address', '…'],
])('shortens %s', (url, short) => {
  expect(shortUrl(url)).toBe(short)
})

test.each([
  ['ada@example.com', 'a…@example.com'],
  ['😀b@example.com', '😀…@example.com'],
  ['"a@b"@example.com', '"…@example.com'],
  ['nobody', '…'],
])('shortens %s', (email, short) => {
  expect(shortEmail(email)).toBe(short)
})
