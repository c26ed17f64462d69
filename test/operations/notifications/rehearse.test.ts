import { describe, expect, test } from 'vitest'
import type { NotificationSettings } from '../../../src/contract/notification-settings.ts'
import type { Db } from '../../../src/db/open.ts'
import { toContent } from '../../../src/notify/content.ts'
import type { RegressedEvent } from '../../../src/notify/message.ts'
import { activateDelivery } from '../../../src/operations/notifications/activate-delivery.ts'
import { OutboxSender } from '../../../src/operations/notifications/deliver.ts'
import { recordDailyEvents } from '../../../src/operations/notifications/record-daily-events.ts'
import { rehearse } from '../../../src/operations/notifications/rehearse.ts'
import { routeEvents } from '../../../src/operations/notifications/route-events.ts'
import { runDigests, scheduleDigests } from '../../../src/operations/notifications/run-digests.ts'
import { getOwnAccount } from '../../../src/store/accounts/owner.ts'
import { saveCycles } from '../../../src/store/catalog/cycle.ts'
import { takeMessages } from '../../../src/store/notifications/delivery.ts'
import { claimTargets, hasDueTarget } from '../../../src/store/notifications/delivery-target.ts'
import { endMails } from '../../../src/store/notifications/mail-consent.ts'
import { recordEvents } from '../../../src/store/notifications/record-event.ts'
import { formatTimestamp } from '../../../src/util/time.ts'
import { openReceivers, type Received } from '../../helpers/carrier.ts'
import { isOnPostgres } from '../../helpers/memory-store.ts'
import { planFor, toStatements } from '../../helpers/statements.ts'
import { scan } from '../../reports/scan.ts'
import { at, day, now, openRoutes } from '../../service/harness.ts'

const slack = 'https://hooks.slack.example/services/T0/B0/secret'

async function openNotified(settings: Partial<NotificationSettings> = {}) {
  const routes = await openRoutes()
  const { as, ada, admin, db, vault, clock, ids } = routes
  const { received, carrier } = openReceivers()
  const store = { db, vault: async () => vault }
  await activateDelivery(store, carrier.channels, clock.now)
  await as(ada, 'updateAccountSettings', { body: { slack_webhook: slack, ...settings } })
  return {
    ...routes,
    received,
    store,
    publish: async (slug: string, version: string, body = {}) =>
      as(admin, 'addRelease', { body: { product_id: ids[slug], type: 'app', version, ...body } }),
    /** As a server does it, at this moment. */
    work: async () => {
      await scheduleDigests(store, clock.now)
      await routeEvents(store, clock.now)
      await runDigests(store, clock.now)
      await new OutboxSender(store, { carrier, now: () => clock.now }).drain()
    },
  }
}

const toText = ({ channel, message }: Received) => {
  const what = message.events.map((event) => ('version' in event ? event.version : event.type)).join('+')
  return `${channel} ${message.digest ? `${message.digest.period} ` : ''}${what}`
}

describe('quiet hours', () => {
  test('defer everything but severe security fixes to one mail a project', async () => {
    const { publish, subscribe, ada, work, received, clock } = await openNotified({
      quiet_hours: '11:00-14:00',
      quiet_hours_except: 'critical',
    })
    await subscribe(ada, 'argo-cd')
    await publish('argo-cd', 'v4.0.0')
    clock.now += 600
    await publish('argo-cd', 'v4.0.1', { has_security_fix: true, security_severity: 'high' })
    await publish('argo-cd', 'v4.0.2', { has_security_fix: true, security_severity: 'critical' })
    await work()
    expect(received.map(toText).sort()).toEqual(['email v4.0.2', 'slack v4.0.2'])
    clock.now = now + 2 * 3600 - 1
    await work()
    expect(received).toHaveLength(2)
    clock.now++
    await work()
    expect(received.slice(2).map(toText).sort()).toEqual(['email v4.0.0+v4.0.1', 'slack v4.0.0', 'slack v4.0.1'])
  })
})

describe('only what runs', () => {
  test('tells of releases newer than what runs, with the clusters', async () => {
    const { publish, subscribe, ada, work, received, upload } = await openNotified({ only_what_runs: true })
    await subscribe(ada, 'argo-cd')
    await subscribe(ada, 'harbor')
    const images = [{ fullRef: 'quay.io/argoproj/argocd:v3.5.1' }]
    await upload([], { user: ada, report: { ...scan([], { cluster: 'prod-eu' }), artifacts: { images } } })
    await publish('argo-cd', 'v3.5.2')
    await publish('argo-cd', 'v3.4.9')
    await publish('harbor', 'v3.0.0')
    await work()
    expect(received.map(toText).sort()).toEqual(['email v3.5.2', 'slack v3.5.2'])
    expect(received[0]!.message.events).toMatchObject([{ runsIn: [{ cluster: 'prod-eu', version: 'v3.5.1' }] }])
  })
})

test('a held message says why and until when, and goes once, as soon as quiet hours are removed', async () => {
  const { as, ada, publish, subscribe, work, received, clock, db } = await openNotified({ quiet_hours: '11:00-14:00' })
  await subscribe(ada, 'argo-cd')
  await publish('argo-cd', 'v4.0.0')
  await work()
  expect(received).toEqual([])
  const list = async () => (await as(ada, 'listDeliveries', {})).items.map(({ state, reason }) => [state, reason])
  expect(await list()).toEqual(
    [0, 0].map(() => ['pending', `held by quiet hours until ${formatTimestamp(now + 2 * 3600)}`]),
  )
  await as(ada, 'updateAccountSettings', { body: { quiet_hours: '11:00-13:00' } })
  expect((await list())[0]).toEqual(['pending', `held by quiet hours until ${formatTimestamp(now + 3600)}`])
  clock.now += 600
  await work()
  expect(received).toEqual([])
  await as(ada, 'updateAccountSettings', { body: { quiet_hours: '' } })
  await work()
  expect(received.map(toText).sort()).toEqual(['email v4.0.0', 'slack v4.0.0'])
  clock.now += day
  await work()
  expect(received).toHaveLength(2)
  expect(new Set((await db.selectFrom('delivery').select('error').execute()).map(({ error }) => error))).toEqual(
    new Set([null]),
  )
})

describe('events of clusters', () => {
  test('are told by type and cluster', async () => {
    const { ada, work, received, upload, clock } = await openNotified({
      cluster_events: 'report.regressed',
      cluster_scope: 'prod-eu',
    })
    for (const cluster of ['prod-eu', 'staging']) {
      await upload([{ resource: 'x/a', severity: 'low' }], { user: ada, cluster, score: 90, passed: ['NEW001'] })
    }
    clock.now += 60
    for (const cluster of ['prod-eu', 'staging']) {
      const rows = [
        { resource: 'x/a', severity: 'low' },
        { resource: 'x/b', severity: 'critical', check: 'NEW001' },
      ]
      await upload(rows, { user: ada, cluster, score: 60 })
    }
    await work()
    expect(received.map(toText).sort()).toEqual(['email report.regressed', 'slack report.regressed'])
    expect(received[0]!.message.events).toMatchObject([
      { cluster: 'prod-eu', counts: { critical: 1 }, scores: expect.stringMatching(/^[\d.]+ \u2192 [\d.]+$/) },
    ])
  })

  test('say that scores of other checks cannot be compared', async () => {
    const { ada, work, received, upload, clock } = await openNotified({ cluster_events: 'report.regressed' })
    const known = { resource: 'x/a', severity: 'low' as const }
    const came = { resource: 'x/b', severity: 'critical' as const, check: 'NEW001' }
    await upload([known], { user: ada, cluster: 'prod-eu', score: 90, passed: ['NEW001', 'OLD001'] })
    clock.now += 60
    await upload([known, came], { user: ada, cluster: 'prod-eu', score: 60 })
    await work()
    const [event] = received[0]!.message.events
    expect(event).toMatchObject({ scores: expect.stringMatching(/^[\d.]+\*? \u2192 [\d.]+\*? \(not comparable\)$/) })
    const { items } = toContent(received[0]!.message)
    expect(items[0]!.facts).toContainEqual({ name: 'Score', value: (event as RegressedEvent).scores })
  })

  test('say nothing about scans older than a week, such as the history of another server', async () => {
    const { ada, work, received, upload } = await openNotified({ cluster_events: 'report.regressed' })
    const rows = [{ resource: 'x/b', severity: 'critical', check: 'NEW001' }]
    for (const days of [9, 8, 6, 5]) {
      const generatedAt = new Date((now - days * day) * 1000).toISOString()
      await upload(days % 3 === 0 ? [] : rows, {
        user: ada,
        cluster: 'prod-eu',
        generatedAt,
        ...(days % 3 === 0 && { passed: ['NEW001'] }),
      })
    }
    await work()
    expect(received.map(toText).sort()).toEqual(['email report.regressed', 'slack report.regressed'])
  })

  test('report a failed gate once a run, to its owners only', async () => {
    const { as, ada, bob, db, work, received, upload } = await openNotified({ cluster_events: 'gate.failed' })
    await db
      .updateTable('user')
      .set({ email: 'bob@example.com', cluster_events: 'gate.failed' })
      .where('id', '=', bob.id)
      .execute()
    const { run_id } = await upload([{ resource: 'x/a' }], { user: ada, cluster: 'prod-eu' })
    const record = (name: string, verdict: 'passed' | 'failed') => {
      const rules = [{ rule: 'new>=high', verdict, reason: '2 new findings', excepted: 0 }]
      return as(ada, 'recordGate', { params: { run_id }, body: { policy: { name, digest: 'a3'.repeat(32) }, rules } })
    }
    await record('mild', 'passed')
    await work()
    expect(received).toEqual([])
    await record('strict', 'failed')
    await record('other', 'failed')
    await work()
    expect(received.map(toText).sort()).toEqual(['email gate.failed', 'slack gate.failed'])
    expect(received.map(({ address }) => address).sort()).toEqual(['ada@example.com', slack])
    expect(received[0]!.message.events).toMatchObject([{ type: 'gate.failed', cluster: 'prod-eu', runId: run_id }])
  })

  test('announce the end of an exception seven days ahead, once', async () => {
    const { as, ada, db, work, received, clock } = await openNotified({ cluster_events: 'exception.expires' })
    const expires_on = formatTimestamp(now + 10 * day).slice(0, 10)
    const { exception_id } = await as(ada, 'createException', {
      body: { check: 'SEC003', reason: 'Known', expires_on },
    })
    const daily = async () => {
      await recordDailyEvents(db, clock.now)
      await work()
    }
    clock.now = now + 3 * day
    await daily()
    expect(received).toEqual([])
    clock.now = now + 4 * day
    for (let again = 0; again < 3; again++) await daily()
    expect(received.map(toText).sort()).toEqual(['email exception.expires', 'slack exception.expires'])
    expect(received[0]!.message.events).toMatchObject([{ exceptionId: exception_id }])
  })

  test('announce the end of a support 30 days ahead, if the version runs', async () => {
    const { as, ada, db, ids, work, received, clock, upload } = await openNotified({ cluster_events: 'support.ends' })
    const images = [{ fullRef: 'quay.io/argoproj/argocd:v3.4.8' }]
    await upload([], { user: ada, report: { ...scan([], { cluster: 'prod-eu' }), artifacts: { images } } })
    const eol = formatTimestamp(now + 40 * day).slice(0, 10)
    const cycles = ['3.4', '3.3'].map((cycle) => ({ cycle, eol, lts: false }))
    await saveCycles(db, ids['argo-cd']!, cycles)
    const daily = async () => {
      await recordDailyEvents(db, clock.now)
      await work()
    }
    clock.now = now + 9 * day
    await daily()
    expect(received).toEqual([])
    clock.now = now + 11 * day
    await daily()
    await daily()
    expect(received.map(toText).sort()).toEqual(['email support.ends', 'slack support.ends'])
    const events = [{ project: { name: 'Argo CD' }, line: '3.4', runsIn: [{ cluster: 'prod-eu' }] }]
    expect(received[0]!.message.events).toMatchObject(events)
    expect(await as(ada, 'getDashboardLogs', {})).toMatchObject({ logs: [{ kind: 'support' }, { kind: 'support' }] })
  })

  test('go on by webhook when their mails have ended', async () => {
    const { ada, db, work, received, upload, clock } = await openNotified({ cluster_events: 'report.regressed' })
    await endMails(db, { userId: ada.id, scope: 'clusters' })
    await upload([], { user: ada, cluster: 'prod-eu', passed: ['NEW001'] })
    clock.now += 60
    await upload([{ resource: 'x/b', severity: 'critical', check: 'NEW001' }], { user: ada, cluster: 'prod-eu' })
    await work()
    expect(received.map(toText)).toEqual(['slack report.regressed'])
  })
})

describe('digests', () => {
  test('gather what was recorded since the last one, security first, with a late promotion', async () => {
    const { publish, subscribe, ada, as, work, received, clock } = await openNotified({
      digest_hour: 8,
      time_zone: 'Europe/Berlin',
    })
    await as(ada, 'updateAccountSettings', { body: { slack_webhook: '' } })
    const subscription_id = await subscribe(ada, 'argo-cd')
    await as(ada, 'updateSettings', { body: { subscription_id, email_frequency: 'daily' } })
    await work()
    await publish('argo-cd', 'v4.0.0')
    await publish('argo-cd', 'v4.0.1', { has_security_fix: true, security_severity: 'high' })
    await work()
    expect(received).toEqual([])
    // 08:00 in Berlin is 06:00 in UTC.
    clock.now = now + 18 * 3600
    await work()
    expect(received.map(toText)).toEqual(['email daily v4.0.1+v4.0.0'])
    // Published long ago as a pre-release, promoted now.
    await publish('argo-cd', 'v3.6.0-rc1', { published_at: at(20) })
    clock.now += day
    await work()
    expect(received.slice(1).map(toText)).toEqual(['email daily v3.6.0-rc1'])
    // An empty one sends nothing and is logged.
    clock.now += day
    await work()
    expect(received).toHaveLength(2)
    expect((await as(ada, 'getDashboardLogs')).logs[0]).toMatchObject({
      kind: 'digest',
      status: 'skipped',
      error: 'no new releases',
    })
  })
})

describe('a rehearsal', () => {
  const defaults = {
    ...{ digest_hour: 8, digest_weekday: 'monday', quiet_hours: '', quiet_hours_except: 'none' },
    ...{ min_severity: 'none', only_what_runs: false },
  }
  type Frequency = 'per_app' | 'daily' | 'weekly'
  const quiet = { quiet_hours: '20:00-07:00', time_zone: 'America/New_York' } as const
  const cases: [string, Partial<NotificationSettings>, Frequency, shown: number][] = [
    ['no settings', {}, 'per_app', 60],
    ['quiet hours', { ...quiet, quiet_hours_except: 'critical' }, 'per_app', 58],
    ['daily digests', { ...quiet, digest_hour: 9 }, 'daily', 38],
    ['weekly digests', { digest_weekday: 'wednesday' }, 'weekly', 32],
    ['a lowest severity', { min_severity: 'high' }, 'per_app', 20],
    ['only what runs', { only_what_runs: true }, 'per_app', 24],
    ['all of them', { ...quiet, min_severity: 'high', only_what_runs: true }, 'daily', 7],
  ]
  test.each(cases)('with %s foretells what was sent and what a replay sends', async (_, settings, frequency, shown) => {
    const { publish, subscribe, ada, as, db, work, received, clock, upload } = await openNotified(settings)
    const images = [{ fullRef: 'quay.io/argoproj/argocd:v5.14.0' }]
    await upload([], { user: ada, report: { ...scan([], { cluster: 'prod-eu' }), artifacts: { images } } })
    for (const slug of ['argo-cd', 'nginx']) {
      const subscription_id = await subscribe(ada, slug)
      await as(ada, 'updateSettings', { body: { subscription_id, email_frequency: frequency } })
    }
    await work()
    for (let step = 0; step < 30; step++) {
      clock.now += 7 * 3600 + 77
      const severity = (['low', 'high', 'critical'] as const)[step % 3]!
      await publish(step % 5 === 0 ? 'nginx' : 'argo-cd', `v5.${step}.0`, {
        ...(step % 2 === 0 && { has_security_fix: true, security_severity: severity }),
      })
      // Looked at as often as a server does.
      const until = clock.now
      clock.now = Math.floor(until / 3600) * 3600
      await work()
      clock.now = until
      await work()
    }
    const live = received.splice(0)
    const rehearse = (body: object) => as(ada, 'rehearseNotifications', { body: { days: 30, limit: 100, ...body } })
    const found = await rehearse({})
    const asLine = ({ channel, kind, version, events }: (typeof found.messages)[number]) =>
      [channel, kind, version, events].join(' ')
    const asSent = ({ channel, message: { digest, events } }: Received) => {
      const version = digest ? null : events.map((event) => ('version' in event ? event.version : ''))[0]
      return [channel, digest ? 'digest' : 'release', version, events.length].join(' ')
    }
    expect(found.total).toBe(shown)
    expect(found.messages.every(({ body }) => body.length > 0)).toBe(true)
    // The latest may still wait for the end of quiet hours.
    const due = found.messages.filter(({ due_at }) => due_at <= formatTimestamp(clock.now))
    expect(live.map(asSent).sort()).toEqual(due.map(asLine).sort())

    // Before the settings are stored, it shows the same.
    const { time_zone = 'UTC', ...rest } = settings
    await as(ada, 'updateAccountSettings', { body: { ...defaults, time_zone } as NotificationSettings })
    expect(await rehearse({ settings: rest })).toEqual(found)
    await as(ada, 'updateAccountSettings', { body: rest })

    const { deliveries } = await as(ada, 'replayDeliveries', { body: { since: at(30) } })
    expect(deliveries).toBe(found.total)
    const added = await db.selectFrom('delivery').select('public_id').orderBy('id', 'desc').limit(deliveries).execute()
    const ids = new Set(added.map(({ public_id }) => public_id))
    clock.now += day
    await work()
    const replayed = received.filter(({ message }) => ids.has(message.id))
    expect(replayed.map(asSent).sort()).toEqual(found.messages.map(asLine).sort())
  })

  test('counts a channel that is not set up, and sends nothing', async () => {
    const { publish, subscribe, ada, as, work, received } = await openNotified()
    await subscribe(ada, 'argo-cd')
    await publish('argo-cd', 'v4.0.0')
    const found = await as(ada, 'rehearseNotifications', { body: { days: 30, channel: 'teams' } })
    expect(found.by_channel).toEqual([{ channel: 'teams', messages: 1 }])
    expect(received).toEqual([])
    await work()
    expect(received.map(({ channel }) => channel).sort()).toEqual(['email', 'slack'])
  })

  test('counts no events of other owners', async () => {
    const { db, ada, admin, as, clock } = await openNotified()
    const record = async (user: { id: number }) => {
      const owner_id = await getOwnAccount(db, user.id)
      const about = { project_id: null, cluster_id: null, key: null, data: '{}' }
      await db
        .insertInto('event_log')
        .values({ type: 'cluster.silent', at: clock.now, owner_id, ...about })
        .execute()
    }
    const count = async () => (await as(ada, 'rehearseNotifications', { body: { days: 30 } })).events
    const before = await count()
    await record(admin)
    expect(await count()).toBe(before)
    await record(ada)
    expect(await count()).toBe(before + 1)
  })

  test('takes as many statements for 3,000 events as for 300', async () => {
    const { db, ada, admin, as, store } = await openNotified({ quiet_hours: '22:00-07:00', time_zone: 'Europe/Berlin' })
    const projects = Array.from({ length: 500 }, (_, index) => ({ name: `project ${index}` }))
    await as(admin, 'syncProjects', { body: { projects } })
    const known = await db.selectFrom('project').select('id').where('name', 'like', 'project %').execute()
    const base = { user_id: ada.id, email_enabled: 1, email_frequency: 'per_app' as const, created_at: 0 }
    const types = { release_types_filter: 'app', webhook_release_types: 'app' }
    await db
      .insertInto('subscription')
      .values(
        known.map(({ id }) => ({ ...base, ...types, project_id: id, use_global_webhooks: 1, notifications_paused: 0 })),
      )
      .execute()
    const publish = (from: number, to: number) =>
      recordEvents(
        db,
        Array.from({ length: to - from }, (_, place) => {
          const index = from + place
          const publishedAt = now - 30 * day + index * 860
          const data = { version: `v1.0.${index}`, releaseType: 'app' as const, publishedAt }
          return { type: 'release.published', at: publishedAt, projectId: known[index % known.length]!.id, data }
        }),
      )
    let total = 0
    const statements = async () => {
      await routeEvents(store, now)
      const asked = { days: 30, limit: 10 }
      const work = async (recorded: Db) => {
        ;({ total } = await rehearse({ ...store, db: recorded }, { userId: ada.id, now }, asked))
      }
      return (await toStatements(db, work)).length
    }
    await publish(0, 300)
    const few = await statements()
    expect(total).toBeGreaterThan(500)
    for (let from = 300; from < 3000; from += 300) await publish(from, from + 300)
    expect(await statements()).toBe(few)
    expect(total).toBeGreaterThan(5000)
  })
})

// PostgreSQL decides by the sizes of tables.
test.skipIf(isOnPostgres)('claiming finds waiting messages by an index, and reads no more than it takes', async () => {
  const { db } = await openNotified()
  const statements = await toStatements(db, async (recorded) => {
    await hasDueTarget(recorded, { channels: ['slack'], now })
    await claimTargets(recorded, { channels: ['slack'], now, leaseSeconds: 0, lease: 'l', limit: 8 })
    await takeMessages(recorded, { targetId: 1, now, limit: 20 })
  })
  expect(statements).toHaveLength(3)
  const plan = (await Promise.all(statements.map((statement) => planFor(db, statement)))).flat()
  const found = plan.filter((step) => /\b(delivery|delivery_target)\b/.test(step))
  expect(found.length).toBeGreaterThan(3)
  for (const step of found) expect(step).toMatch(/^SEARCH \w+ USING (COVERING INDEX|INDEX|INTEGER PRIMARY KEY) /)
  // To sort, all that wait would be read.
  expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([])
})

test('a rehearsal on a fresh store replays past releases and stored runs, and says since when events exist', async () => {
  const { as, ada, subscribe, upload, publish } = await openNotified({ cluster_events: 'report.regressed' })
  await subscribe(ada, 'argo-cd')
  await upload([{ check: 'SEC001' }], {
    user: ada,
    cluster: 'prod-eu',
    passed: ['SEC002'],
    generatedAt: formatTimestamp(now - 12 * day),
  })
  const rows = [{ check: 'SEC001' }, { check: 'SEC002', severity: 'critical' }]
  await upload(rows, { user: ada, cluster: 'prod-eu', generatedAt: formatTimestamp(now - 10 * day) })
  const body = { days: 60 }
  const found = await as(ada, 'rehearseNotifications', { body })
  expect(found.events_since).toBe(formatTimestamp(now))
  expect(found.replayed).toBeGreaterThan(1)
  const kinds = new Set(found.messages.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['regressed', 'release'])

  await publish('argo-cd', 'v9.0.0')
  expect(await as(ada, 'rehearseNotifications', { body })).toMatchObject({ events: 1, replayed: 0 })
})
