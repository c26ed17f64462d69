import { describe, expect, test } from 'vitest'
import { eachWebhook } from '../../../../src/contract/channels.ts'
import type { RouteName } from '../../../../src/contract/routes.ts'
import { at, day, now, openRoutes, refusalFor } from '../../harness.ts'

const ofUsers: RouteName[] = [
  'listSubscriptions',
  'getFeed',
  'getDashboard',
  'getDashboardActivity',
  'getDashboardLogs',
  'toggleSubscription',
  'updateSettings',
  'updateAccountSettings',
]

test.each(ofUsers)('%s refuses who is not signed in', async (name) => {
  const { as } = await openRoutes()
  expect(await refusalFor(as(undefined, name))).toBe('unauthenticated: Authentication is required.')
})

describe('my-subscriptions', () => {
  test('is empty for who is not signed in', async () => {
    const { as, ada, subscribe } = await openRoutes()
    await subscribe(ada, 'nginx')
    expect(await as(undefined, 'getMySubscriptions')).toEqual({ subscribed_ids: [] })
  })

  test('has the ids of the projects of the caller alone', async () => {
    const { as, ada, bob, ids, subscribe } = await openRoutes()
    await subscribe(ada, 'nginx')
    await subscribe(ada, 'argo-cd')
    await subscribe(bob, 'harbor')
    expect(await as(ada, 'getMySubscriptions')).toEqual({ subscribed_ids: [ids['argo-cd'], ids.nginx] })
    expect(await as(bob, 'getMySubscriptions')).toEqual({ subscribed_ids: [ids.harbor] })
  })
})

describe('toggle-sub', () => {
  test('subscribes with defaults, then removes and tells the id it had', async () => {
    const { as, ada, ids } = await openRoutes()
    const body = { product_id: ids.nginx }
    const { subscription_id, ...added } = await as(ada, 'toggleSubscription', { body })
    expect(added).toEqual({ success: true, subscribed: true })
    const { subscriptions, subscription_count } = await as(ada, 'listSubscriptions')
    expect(subscription_count).toBe(1)
    expect(subscriptions).toEqual([
      {
        id: subscription_id,
        user_id: ada.id,
        product_id: ids.nginx,
        webhook_url: null,
        ...eachWebhook(() => null),
        email_enabled: true,
        email_frequency: 'per_app',
        release_types_filter: 'app,helm',
        webhook_release_types: 'app,helm',
        use_global_webhooks: true,
        notifications_paused: false,
        created_at: at(0),
        name: 'nginx',
        logo_url: null,
        description: '',
        repo_url: '',
        latest_release: expect.objectContaining({ version: '9.9.9', has_security_fix: false }),
        labels: [],
      },
    ])

    expect(await as(ada, 'toggleSubscription', { body })).toEqual({ success: true, subscribed: false, subscription_id })
    expect(await as(ada, 'listSubscriptions')).toEqual({ success: true, subscriptions: [], subscription_count: 0 })
    const again = await as(ada, 'toggleSubscription', { body })
    expect(again.subscription_id).toBeGreaterThan(subscription_id)
  })

  test.each([0, -1, 999_999, Number.MAX_SAFE_INTEGER])('knows no project %d', async (product_id) => {
    const { as, ada } = await openRoutes()
    expect(await refusalFor(as(ada, 'toggleSubscription', { body: { product_id } }))).toBe(
      `not_found: No project with id ${product_id}.`,
    )
  })

  test.each([
    [{}, 'invalid_param: Missing parameter(s): product_id'],
    [{ product_id: '1' }, 'invalid_param: Invalid parameter(s): product_id'],
    [{ product_id: 1.5 }, 'invalid_param: Invalid parameter(s): product_id'],
  ])('refuses %j', async (body, refusal) => {
    const { as, ada } = await openRoutes()
    expect(await refusalFor(as(ada, 'toggleSubscription', { body }))).toBe(refusal)
  })

  test('allows as many as the plan does; removing works beyond it', async () => {
    const { as, bob, ada, ids, subscribe } = await openRoutes('free.subscriptions=2')
    await subscribe(bob, 'nginx')
    await subscribe(bob, 'harbor')
    expect(await refusalFor(subscribe(bob, 'istio'))).toBe('forbidden: The Free plan has a limit of 2 subscriptions.')
    expect(await refusalFor(as(bob, 'toggleSubscription', { body: { product_id: 999_999 } }))).toMatch(/^not_found/)
    for (const slug of ['nginx', 'harbor', 'istio']) await subscribe(ada, slug)
    await subscribe(bob, 'nginx')
    await subscribe(bob, 'istio')
    expect(await as(bob, 'getMySubscriptions')).toEqual({ subscribed_ids: [ids.harbor, ids.istio] })
  })

  test('stays consistent when twenty come at once', async () => {
    const { as, ada, ids } = await openRoutes()
    const body = { product_id: ids.nginx }
    const answers = await Promise.all(Array.from({ length: 20 }, () => as(ada, 'toggleSubscription', { body })))
    expect(answers.filter((answer) => answer.subscribed)).toHaveLength(10)
    expect(new Set(answers.map((answer) => answer.subscription_id)).size).toBe(10)
    expect(await as(ada, 'getMySubscriptions')).toEqual({ subscribed_ids: [] })
  })

  test('never exceeds the limit when several come at once', async () => {
    const { as, bob, ids, subscribe } = await openRoutes('free.subscriptions=3')
    const settled = await Promise.allSettled(Object.keys(ids).map((slug) => subscribe(bob, slug)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
    expect((await as(bob, 'getMySubscriptions')).subscribed_ids).toHaveLength(3)
  })
})

describe('subscriptions', () => {
  test('come by name, with the latest release of the wanted types and their labels', async () => {
    const { as, ada, subscribe } = await openRoutes()
    const nginx = await subscribe(ada, 'nginx')
    const argo = await subscribe(ada, 'argo-cd')
    await subscribe(ada, 'quiet')
    await subscribe(ada, 'harbor')
    const { label_id } = await as(ada, 'createLabel', { body: { label_name: 'prod', label_color: '#ff0000' } })
    for (const id of [nginx, argo]) {
      await as(ada, 'attachLabels', { params: { subscription_id: `${id}` }, body: { label_ids: [label_id] } })
    }
    const list = async () => {
      const { subscriptions } = await as(ada, 'listSubscriptions')
      return subscriptions.map((each) => [each.name, each.latest_release?.version ?? null, each.labels.length])
    }
    expect(await list()).toEqual([
      ['Argo CD', 'v3.5.1', 1],
      ['Harbor', 'v2.0.0', 0],
      ['nginx', '9.9.9', 1],
      ['Quiet', null, 0],
    ])
    const { subscriptions } = await as(ada, 'listSubscriptions')
    expect(subscriptions[0]!.labels).toEqual([
      { id: label_id, label_name: 'prod', label_color: '#ff0000', subscription_count: 2 },
    ])
    const body = { subscription_id: argo, release_types_filter: 'pre, app' }
    await as(ada, 'updateSettings', { body })
    expect((await list())[0]).toEqual(['Argo CD', 'v3.6.0-rc1', 1])
    await as(ada, 'updateSettings', { body: { subscription_id: argo, release_types_filter: 'app' } })
    expect((await list())[0]).toEqual(['Argo CD', 'v3.5.1', 1])
  })
})

describe('feed', () => {
  test('has the releases of the period, newest first, of the types each subscription wants', async () => {
    const { as, ada, bob, ids, subscribe } = await openRoutes()
    const argo = await subscribe(ada, 'argo-cd')
    await subscribe(ada, 'nginx')
    await subscribe(ada, 'istio')
    await subscribe(bob, 'harbor')
    const versions = async (days?: number | string) => {
      const { releases } = await as(ada, 'getFeed', days === undefined ? {} : { query: { days } })
      return releases.map((release) => release.version)
    }
    expect(await versions()).toEqual(['1.29.0', '10.1.1', 'v3.5.1'])
    expect(await versions(1)).toEqual(['1.29.0'])
    expect(await versions('365')).toEqual(['1.29.0', '10.1.1', 'v3.5.1', 'v3.4.8', '1.30.0'])
    await as(ada, 'updateSettings', { body: { subscription_id: argo, release_types_filter: 'pre' } })
    expect(await versions()).toEqual(['v3.6.0-rc1', '1.29.0'])
    expect((await as(ada, 'getFeed')).releases[0]).toEqual({
      product_id: ids['argo-cd'],
      name: 'Argo CD',
      version: 'v3.6.0-rc1',
      published_at: at(0.5),
      type: 'pre',
      has_security_fix: false,
      security_severity: 'none',
    })
  })

  test.each([['0'], ['366'], ['-1'], ['week'], ['']])('refuses days=%j', async (days) => {
    const { as, ada } = await openRoutes()
    for (const name of ['getFeed', 'getDashboardActivity'] as const) {
      expect(await refusalFor(as(ada, name, { query: { days } }))).toBe('invalid_param: Invalid parameter(s): days')
    }
  })

  test('is empty without subscriptions', async () => {
    const { as, ada } = await openRoutes()
    expect(await as(ada, 'getFeed')).toEqual({
      success: true,
      releases: [],
      catalog_date: '2099-01-01',
      looked_at: { subscriptions: 0, projects: 0, security_known: 0 },
    })
  })
})

describe('dashboard', () => {
  test('has both shapes in one', async () => {
    const { as, ada, subscribe } = await openRoutes()
    await subscribe(ada, 'nginx')
    await as(ada, 'createLabel', { body: { label_name: 'prod', label_color: '#ff0000' } })
    await as(ada, 'updateAccountSettings', { body: { teams_webhook: 'https://teams.example/a' } })
    expect(await as(ada, 'getDashboard')).toMatchObject({
      success: true,
      plan: 'Pro',
      limit: 50,
      subscriptions: [{ name: 'nginx' }],
      is_pro: true,
      subscription_count: 1,
      subscription_limit: 50,
      user_email: 'ada@example.com',
      user_login: 'ada',
      pms_status: 'active',
      pms_trial_end: null,
      pms_is_cancelled: false,
      slack_webhook: null,
      teams_webhook: 'https://teams.example/a',
      webhook_release_types: 'app,helm,pre',
      labels: [{ label_name: 'prod', subscription_count: 0 }],
    })
  })

  test('tells a Free account its limit', async () => {
    const { as, bob } = await openRoutes()
    expect(await as(bob, 'getDashboard')).toMatchObject({ plan: 'Free', limit: 5, is_pro: false, user_email: null })
  })

  test('has the activity of the followed projects', async () => {
    const { as, ada, ids, subscribe } = await openRoutes()
    await subscribe(ada, 'argo-cd')
    const { days, releases } = await as(ada, 'getDashboardActivity')
    expect(days).toBe(7)
    expect(releases.map((release) => release.version)).toEqual(['10.1.1', 'v3.5.1'])
    expect(releases[1]).toEqual({
      id: ids['argo-cd'],
      product_id: ids['argo-cd'],
      name: 'Argo CD',
      logo_url: null,
      category: 'CI/CD',
      cncf_status: 'graduated',
      repo_url: 'https://github.com/argoproj/argo-cd',
      version: 'v3.5.1',
      type: 'app',
      published_at: at(3),
      release_notes: '',
      has_security_fix: false,
      security_severity: 'none',
    })
    expect(await as(ada, 'getDashboardActivity', { query: { days: '2' } })).toMatchObject({ days: 2, releases: [{}] })
  })

  test('has the logs of the caller, newest first, as many as asked for', async () => {
    const { as, ada, bob, clock } = await openRoutes()
    for (let test = 0; test < 10; test++) {
      clock.now = now + test
      await as(ada, 'testNotification', { body: {} })
    }
    const { logs } = await as(ada, 'getDashboardLogs')
    expect(logs).toHaveLength(8)
    expect(logs[0]!.created_at).toBe(at(-9 / day))
    expect((await as(ada, 'getDashboardLogs', { query: { limit: '100' } })).logs).toHaveLength(10)
    expect((await as(bob, 'getDashboardLogs')).logs).toEqual([])
    for (const limit of ['0', '101', 'x']) {
      expect(await refusalFor(as(ada, 'getDashboardLogs', { query: { limit } }))).toMatch(/^invalid_param/)
    }
  })
})

describe('update-settings', () => {
  test('changes any subset and leaves the rest', async () => {
    const { as, ada, subscribe } = await openRoutes()
    const subscription_id = await subscribe(ada, 'nginx')
    const change = async (settings: object) => {
      await as(ada, 'updateSettings', { body: { subscription_id, ...settings } })
      return (await as(ada, 'listSubscriptions')).subscriptions[0]!
    }
    const before = await change({})
    const changes = {
      email_enabled: false,
      email_frequency: 'daily',
      release_types_filter: 'app,pre',
      webhook_release_types: 'helm',
      ...eachWebhook(({ name }) => `https://${name}.example:8443/T0/B0/xyz`),
      use_global_webhooks: false,
      notifications_paused: true,
    }
    let expected = before
    for (const [name, value] of Object.entries(changes)) {
      expected = { ...expected, [name]: value }
      if (name === 'generic_webhook') expected.webhook_url = value as string
      expect(await change({ [name]: value })).toEqual(expected)
    }
    expect(await change({ unknown: 1 })).toEqual(expected)
    const cleared = { ...eachWebhook(() => null), webhook_url: null }
    const { generic_webhook: _, ...others } = eachWebhook(() => '')
    expect(await change({ ...others, webhook_url: '' })).toEqual({ ...expected, ...cleared })
    expect(await change({ webhook_url: 'https://a.example/1' })).toMatchObject({
      webhook_url: 'https://a.example/1',
      generic_webhook: 'https://a.example/1',
    })
    expect(await change({ webhook_url: 'https://a.example/1', generic_webhook: 'https://b.example/2' })).toMatchObject({
      webhook_url: 'https://b.example/2',
    })
  })

  test.each([
    ['slack_webhook', 'ftp://a.example'],
    ['generic_webhook', 'http://a.example'],
    ['teams_webhook', 'https://a.example/\n'],
    ['email_frequency', 'hourly'],
    ['release_types_filter', 'app,app'],
    ['release_types_filter', ''],
    ['webhook_release_types', 'all'],
    ['email_enabled', 'yes'],
    ['notifications_paused', 1],
  ])('refuses %s %j', async (name, value) => {
    const { as, ada, subscribe } = await openRoutes()
    const subscription_id = await subscribe(ada, 'nginx')
    expect(await refusalFor(as(ada, 'updateSettings', { body: { subscription_id, [name]: value } }))).toBe(
      `invalid_param: Invalid parameter(s): ${name}`,
    )
  })

  test('knows neither what does not exist nor what is another user’s', async () => {
    const { as, ada, bob, subscribe } = await openRoutes()
    const foreign = await subscribe(bob, 'nginx')
    for (const subscription_id of [foreign, 999_999]) {
      for (const settings of [{}, { notifications_paused: true }]) {
        expect(await refusalFor(as(ada, 'updateSettings', { body: { subscription_id, ...settings } }))).toBe(
          `not_found: No subscription with id ${subscription_id}.`,
        )
      }
    }
    expect((await as(bob, 'listSubscriptions')).subscriptions[0]!.notifications_paused).toBe(false)
  })
})

describe('account/settings', () => {
  test('changes any subset of the caller’s', async () => {
    const { as, ada, bob } = await openRoutes()
    const change = async (body: object) => {
      expect(await as(ada, 'updateAccountSettings', { body })).toEqual({ success: true })
      const { slack_webhook, teams_webhook, generic_webhook, webhook_release_types } = await as(ada, 'getDashboard')
      return [slack_webhook, teams_webhook, generic_webhook, webhook_release_types]
    }
    expect(await change({})).toEqual([null, null, null, 'app,helm,pre'])
    expect(await change({ slack_webhook: 'https://s.example/' })).toEqual([
      'https://s.example/',
      null,
      null,
      'app,helm,pre',
    ])
    expect(await change({ generic_webhook: 'https://g.example/', webhook_release_types: 'app, helm' })).toEqual([
      'https://s.example/',
      null,
      'https://g.example/',
      'app,helm',
    ])
    expect(await change({ slack_webhook: '', teams_webhook: 'https://t.example/' })).toEqual([
      null,
      'https://t.example/',
      'https://g.example/',
      'app,helm',
    ])
    expect(await change({ teams_webhook: null })).toEqual([null, null, 'https://g.example/', 'app,helm'])
    expect(await as(bob, 'getDashboard')).toMatchObject({ teams_webhook: null, generic_webhook: null })
  })
})
