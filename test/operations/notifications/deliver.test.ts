import { describe, expect, test } from 'vitest'
import type { Outcome } from '../../../src/notify/delivery.ts'
import { activateDelivery } from '../../../src/operations/notifications/activate-delivery.ts'
import { createSender } from '../../../src/operations/notifications/deliver.ts'
import { routeEvents } from '../../../src/operations/notifications/route-events.ts'
import { insertDeliveries, type NewDelivery } from '../../../src/store/notifications/delivery.ts'
import { delivered, failed, openReceivers, type Received } from '../../helpers/carrier.ts'
import { at, day, now, openRoutes, type TestRoutes } from '../../service/harness.ts'

const slack = 'https://hooks.slack.example/services/T0/B0/secret'
const generic = 'https://hooks.example/secret'

/** Ada follows Argo CD by mail and Slack; delivery is set up. */
async function openDelivery({ answer }: { answer?: (received: Received) => Outcome | Promise<Outcome> } = {}) {
  const routes = await openRoutes()
  const { as, ada, admin, db, vault, clock, ids, subscribe } = routes
  const receivers = openReceivers(answer ? { answer } : {})
  const store = { db, vault: async () => vault }
  const subscription_id = await subscribe(ada, 'argo-cd')
  await as(ada, 'updateAccountSettings', { body: { slack_webhook: slack } })
  await activateDelivery(store, receivers.carrier.channels, clock.now)
  const sender = (options = {}) =>
    createSender(store, { carrier: receivers.carrier, now: () => clock.now, random: () => 0.5, ...options })
  return {
    ...routes,
    ...receivers,
    store,
    subscription_id,
    sender,
    publish: async (version: string, body = {}) =>
      as(admin, 'addRelease', { body: { product_id: ids['argo-cd'], type: 'app', version, ...body } }),
    /** Routes and sends what is due after so many seconds. */
    deliver: async (seconds = 0) => {
      clock.now += seconds
      await routeEvents(store, clock.now)
      return sender().drain()
    },
    log: async () => {
      const { logs } = await as(ada, 'getDashboardLogs', { query: { limit: '100' } })
      return logs
        .toReversed()
        .map(({ channel, kind, version, status, attempts, error }) =>
          [channel, kind, version, status, attempts, error].filter((part) => part !== null).join(' '),
        )
    },
  }
}

const summary = ({ channel, message }: Received) =>
  `${channel} ${message.events.map((event) => ('version' in event ? event.version : event.type)).join('+')}`

test('sends a release to each channel that wants it, with what it is about', async () => {
  const { publish, deliver, received, log } = await openDelivery()
  await publish('v3.5.2', { release_notes: 'Fixes CVE-2026-1234 (high).', url: 'https://example.com/v3.5.2' })
  expect(await deliver()).toEqual({ sent: 2, failed: 0, skipped: 0 })
  expect(received.map(summary).sort()).toEqual(['email v3.5.2', 'slack v3.5.2'])
  const { message, address } = received.find(({ channel }) => channel === 'slack')!
  expect(address).toBe(slack)
  expect(message).toMatchObject({
    id: expect.stringMatching(/^msg_[0-9a-f]{24}$/),
    type: 'release.published',
    attempt: 1,
    events: [
      {
        type: 'release.published',
        id: expect.stringMatching(/^evt_\d+$/),
        at: now,
        project: { name: 'Argo CD' },
        version: 'v3.5.2',
        releaseType: 'app',
        url: 'https://example.com/v3.5.2',
        notes: 'Fixes CVE-2026-1234 (high).',
        isSecurityFix: true,
        advisories: ['CVE-2026-1234'],
        runsIn: [],
      },
    ],
  })
  expect(await log()).toEqual(['email release v3.5.2 delivered 1', 'slack release v3.5.2 delivered 1'])
  expect(await deliver(86_400)).toEqual({ sent: 0, failed: 0, skipped: 0 })
})

test('sends one mail about one project and moment', async () => {
  const { publish, deliver, received } = await openDelivery()
  await publish('v3.5.2')
  await publish('v3.4.9')
  await deliver()
  await publish('v3.5.3')
  await deliver(1)
  expect(received.map(summary).sort()).toEqual([
    'email v3.5.2+v3.4.9',
    'email v3.5.3',
    'slack v3.4.9',
    'slack v3.5.2',
    'slack v3.5.3',
  ])
})

describe('a failed attempt', () => {
  test('is repeated after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, and then given up', async () => {
    const { publish, deliver, received, log } = await openDelivery({
      answer: ({ channel }) => (channel === 'slack' ? failed : delivered),
    })
    await publish('v3.5.2')
    await deliver()
    const ofSlack = () => received.filter(({ channel }) => channel === 'slack')
    for (const [index, pause] of [5, 300, 1800, 7200, 18_000, 36_000, 36_000].entries()) {
      // The circuit of the host may add its own pause, at most 15 minutes.
      await deliver(pause - 1)
      expect(ofSlack()).toHaveLength(index + 1)
      await deliver(1)
      if (ofSlack().length === index + 1) await deliver(900)
      expect(ofSlack()).toHaveLength(index + 2)
    }
    await deliver(86_400)
    expect(ofSlack()).toHaveLength(8)
    expect(new Set(ofSlack().map(({ message }) => message.id)).size).toBe(1)
    expect(ofSlack().map(({ message }) => message.attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(await log()).toContain('slack release v3.5.2 failed 8 HTTP status 503')
  })

  test('waits as long as the receiver asks, up to an hour', async () => {
    let retryAfterSeconds = 120
    const { publish, deliver, received } = await openDelivery({
      answer: () => ({ result: 'retry', reason: 'HTTP status 429', httpStatus: 429, retryAfterSeconds }),
    })
    await publish('v3.5.2')
    await deliver()
    retryAfterSeconds = 1_000_000
    await deliver(119)
    expect(received).toHaveLength(2)
    await deliver(1)
    expect(received).toHaveLength(4)
    await deliver(3600)
    expect(received).toHaveLength(6)
  })

  test('is final when the receiver refuses the message', async () => {
    const { publish, deliver, received, log } = await openDelivery({
      answer: () => ({ result: 'refused', reason: 'HTTP status 400', httpStatus: 400 }),
    })
    await publish('v3.5.2')
    await deliver()
    await deliver(86_400)
    expect(received).toHaveLength(2)
    expect(await log()).toEqual([
      'email release v3.5.2 failed 1 HTTP status 400',
      'slack release v3.5.2 failed 1 HTTP status 400',
    ])
  })

  test('holds no other target', async () => {
    const held = Promise.withResolvers<Outcome>()
    const { publish, clock, store, sender, received } = await openDelivery({
      answer: ({ channel }) => (channel === 'slack' ? held.promise : delivered),
    })
    await publish('v3.5.2')
    await routeEvents(store, clock.now)
    const draining = sender().drain()
    await expect.poll(() => received.map(summary)).toEqual(['email v3.5.2'])
    held.resolve(delivered)
    expect(await draining).toEqual({ sent: 2, failed: 0, skipped: 0 })
  })
})

describe('a target', () => {
  const gone: Outcome = { result: 'gone', reason: 'no_service', httpStatus: 404 }

  test('that is gone is switched off, and its owner is told by mail', async () => {
    const { publish, deliver, received, log, as, ada } = await openDelivery({
      answer: ({ channel }) => (channel === 'slack' ? gone : delivered),
    })
    await publish('v3.5.2')
    await deliver()
    await publish('v3.5.3')
    await deliver(1)
    expect(received.filter(({ channel }) => channel === 'slack')).toHaveLength(1)
    expect(await log()).toEqual([
      'email release v3.5.2 delivered 1',
      'slack release v3.5.2 failed 1 no_service',
      'email target delivered 1',
      'email release v3.5.3 delivered 1',
      'slack release v3.5.3 failed 0 switched off on 2026-09-01: no_service',
    ])
    expect(received.find(({ message }) => message.type === 'target.disabled')?.message.events).toMatchObject([
      { type: 'target.disabled', channel: 'Slack', subscription: null, reason: 'no_service' },
    ])
    // Setting the address again switches it on.
    await as(ada, 'updateAccountSettings', { body: { slack_webhook: slack } })
    await publish('v3.5.4')
    await deliver(1)
    expect(received.filter(({ channel }) => channel === 'slack')).toHaveLength(2)
  })

  test('with nothing but failures for five days is switched off', async () => {
    let answer: Outcome = failed
    const { publish, deliver, received, log } = await openDelivery({
      answer: ({ channel }) => (channel === 'slack' ? answer : delivered),
    })
    for (let hour = 0; hour < 119; hour += 7) {
      await publish(`v4.0.${hour}`)
      await deliver(7 * 3600)
    }
    const isOff = async () => (await log()).some((line) => line.includes('switched off'))
    expect(await isOff()).toBe(false)
    // One success starts the five days again.
    answer = delivered
    await deliver(3600)
    answer = failed
    await publish('v4.1.0')
    await deliver(3600)
    expect(await isOff()).toBe(false)
    for (let hours = 0; hours <= 121; hours += 11) {
      await publish(`v4.2.${hours}`)
      await deliver(11 * 3600)
    }
    expect(await isOff()).toBe(true)
    expect((await log()).find((line) => line.includes('switched off'))).toContain(
      'nothing but failures for five days, the last: HTTP status 503',
    )
    const count = received.length
    await deliver(86_400)
    expect(received.slice(count).filter(({ channel }) => channel === 'slack')).toEqual([])
  })

  test('whose address was removed gets nothing any more, and a new address gets what waits', async () => {
    const { publish, deliver, received, log, as, ada, clock } = await openDelivery({
      answer: ({ channel }) => (channel === 'slack' && clock.now === now ? failed : delivered),
    })
    await publish('v3.5.2')
    await deliver()
    await as(ada, 'updateAccountSettings', { body: { slack_webhook: 'https://other.example/secret' } })
    await deliver(60)
    expect(received.at(-1)).toMatchObject({ channel: 'slack', address: 'https://other.example/secret' })
    clock.now = now
    await publish('v3.5.3')
    await deliver()
    await as(ada, 'updateAccountSettings', { body: { slack_webhook: '' } })
    await deliver(60)
    expect(await log()).toContain('slack release v3.5.3 skipped 1 the address was removed')
  })

  test('on a host that fails is called less and less, whatever waits for it', async () => {
    const { db, publish, deliver, received, as, ids, clock, addUser } = await openDelivery({
      answer: ({ channel }) => (channel === 'generic' ? failed : delivered),
    })
    for (let index = 0; index < 40; index++) {
      const user = await addUser(`user-${index}`)
      await as(user, 'toggleSubscription', { body: { product_id: ids['argo-cd'] } })
      await as(user, 'updateAccountSettings', { body: { generic_webhook: `${generic}/${index}` } })
    }
    await publish('v3.5.2')
    await deliver()
    const calls = () => received.filter(({ channel }) => channel === 'generic').length
    // Those on their way when the circuit opens still arrive.
    expect(calls()).toBeLessThanOrEqual(5 + 8)
    for (let minute = 0; minute < 10; minute++) await deliver(60)
    expect(calls()).toBeLessThan(80)
    expect(received.map(summary)).toContain('slack v3.5.2')
    expect(await db.selectFrom('delivery_host').select('failures').execute()).toHaveLength(1)
    expect(clock.now).toBe(now + 600)
  })
})

describe('senders', () => {
  test('share a store without sending anything twice', async () => {
    const { publish, store, clock, sender, received } = await openDelivery({
      answer: async () => {
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
        return delivered
      },
    })
    for (let index = 0; index < 60; index++) {
      clock.now++
      await publish(`v5.0.${index}`)
    }
    await routeEvents(store, clock.now)
    await Promise.all([1, 2, 3].map(() => sender().drain()))
    expect(received).toHaveLength(120)
    expect(new Set(received.map(({ message }) => message.id)).size).toBe(120)
  })

  test('take over what a dead one had, under the same id', async () => {
    let hanging = 0
    const { publish, store, clock, sender, received, db } = await openDelivery({
      answer: () => (clock.now === now && ++hanging ? new Promise<Outcome>(() => {}) : delivered),
    })
    await publish('v3.5.2')
    await routeEvents(store, clock.now)
    // It never ends: its process is killed while it waits for answers.
    void sender().drain()
    await expect.poll(() => hanging).toBe(2)
    const states = await db.selectFrom('delivery').select('status').execute()
    expect(states.map(({ status }) => status)).toEqual(['sending', 'sending'])
    const ids = (await db.selectFrom('delivery').select('public_id').execute()).map((row) => row.public_id)
    clock.now = now + 59
    expect(await sender().drain()).toMatchObject({ sent: 0 })
    clock.now = now + 61
    expect(await sender().drain()).toMatchObject({ sent: 2 })
    expect(received.map(({ message }) => message.id).sort()).toEqual(ids.sort())
  })
})

describe('the first activation', () => {
  async function openWaiting() {
    const routes: TestRoutes = await openRoutes()
    const { as, ada, subscribe, db, vault, clock } = routes
    const subscription = await subscribe(ada, 'argo-cd')
    await as(ada, 'updateAccountSettings', { body: { slack_webhook: slack } })
    return { ...routes, subscription, store: { db, vault: async () => vault }, clock }
  }

  test('floods nobody with 5,000 waiting messages', async () => {
    const { db, ada, ids, subscription, store, clock, as, admin } = await openWaiting()
    const release = { product_id: ids['argo-cd'], type: 'app', version: 'v9', published_at: at(0) } as const
    await as(admin, 'addRelease', { body: release })
    await routeEvents(store, clock.now)
    const own = await db.selectFrom('delivery').select(['channel', 'target_id', 'event_ids']).execute()
    await db.deleteFrom('delivery').execute()
    const rows = Array.from({ length: 5000 }, (_, index): NewDelivery => {
      const { channel, target_id: targetId, event_ids } = own[index % own.length]!
      return {
        userId: ada.id,
        kind: 'release',
        channel,
        createdAt: now - Math.floor((index / 5000) * 60 * day),
        targetId,
        target: null,
        subscriptionId: subscription,
        projectId: ids['argo-cd']!,
        version: 'v9',
        eventIds: JSON.parse(event_ids!),
        status: 'pending',
        notBefore: now,
        error: 'queued',
      }
    })
    await insertDeliveries(db, rows)
    const { carrier, received } = openReceivers()
    await activateDelivery(store, carrier.channels, clock.now)
    await createSender(store, { carrier, now: () => clock.now }).drain()
    expect(received).toHaveLength(10)
    const states = await db
      .selectFrom('delivery')
      .select(['status', 'error', (eb) => eb.fn.countAll<number>().as('count')])
      .groupBy(['status', 'error'])
      .orderBy('status')
      .execute()
    expect(states).toEqual([
      { status: 'delivered', error: null, count: 10 },
      { status: 'skipped', error: 'delivery was not set up then', count: 4990 },
    ])
  })

  test('of another channel later skips what waited for it', async () => {
    const { as, admin, ids, store, clock } = await openWaiting()
    const webhooks = openReceivers({ channels: ['slack', 'teams', 'generic'] })
    await activateDelivery(store, webhooks.carrier.channels, clock.now)
    await as(admin, 'addRelease', {
      body: { product_id: ids['argo-cd'], type: 'app', version: 'v9', published_at: at(0) },
    })
    await routeEvents(store, clock.now)
    await createSender(store, { carrier: webhooks.carrier, now: () => clock.now }).drain()
    expect(webhooks.received.map(summary)).toEqual(['slack v9'])
    clock.now += 2 * day
    const all = openReceivers()
    await activateDelivery(store, all.carrier.channels, clock.now)
    await createSender(store, { carrier: all.carrier, now: () => clock.now }).drain()
    expect(all.received).toEqual([])
  })
})
