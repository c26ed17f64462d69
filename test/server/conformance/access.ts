import { expect, test } from 'vitest'
import { dump } from '../../operations/service.ts'
import { basic } from '../http.ts'
import { everyRoute } from './all.ts'
import { send, sendTo, transports } from './ask.ts'
import { openWorld, useKey, type World } from './world.ts'

const unauthenticated = { status: 401, code: 'rest_forbidden' }
const forbidden = { status: 403, code: 'rest_forbidden' }
const notFound = { status: 404, code: 'rest_no_route' }

let addresses = 0
/** Several wrong tries from one address would have to wait. */
const newAddress = () => `192.0.${Math.floor(++addresses / 250)}.${addresses % 250}`

/** Who may call; what is refused leaves no trace in `shared`. */
export function checkAccess(shared: () => World): void {
  test.each(everyRoute)('%s asks for credentials where it needs them', async (name, { access }, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    for (const [, ask] of transports) {
      const outcome = await ask(world, name, call)
      if (access === 'public') expect(outcome).toMatchObject({ status: 200 })
      else expect(outcome).toEqual(unauthenticated)
    }
    expect(await dump(world.db)).toEqual(before)
  })

  test.each(everyRoute)('%s refuses credentials that are wrong', async (name, _, rows) => {
    const world = shared()
    const { key } = world.owner
    const call = await rows.good(world)
    const before = await dump(world.db)
    const wrong = [
      basic('owner', 'abcd efgh ijkl mnop qrst uvwx'),
      basic('owner', ''),
      basic('owner', `${key} `),
      basic('owner', key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase()),
      basic('nobody', key),
      basic('other', key),
      basic('OWNER', key),
      basic('owner@shop.example', key),
      basic('', key),
      'Basic !',
      'Basic',
      `Basic ${'A'.repeat(1401)}`,
      'Bearer x',
    ]
    for (const authorization of wrong) {
      const outcome = await send(world, name, call, { headers: { authorization }, from: newAddress() })
      expect(outcome, authorization).toEqual(unauthenticated)
    }
    expect(await dump(world.db)).toEqual(before)
  })

  const notForFree = everyRoute.filter(([, { access }]) => access === 'pro' || access === 'admin')
  test.each(notForFree)('%s is not for the Free plan without a role', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    for (const [, ask] of transports) expect(await ask(world, name, call, world.free)).toEqual(forbidden)
    expect(await dump(world.db)).toEqual(before)
  })

  const forFree = everyRoute.filter(([, { access }]) => access === 'public' || access === 'user')
  test.each(forFree)('%s is for the Free plan, too', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    for (const [, ask] of transports) {
      const outcome = await ask(world, name, call, world.free)
      // What is another's is as if it did not exist.
      const own =
        call.body?.subscription_id === undefined &&
        call.params?.delivery_id === undefined &&
        name !== 'revokeKey' &&
        name !== 'listMade' &&
        name !== 'revokeFeed'
      expect(outcome).toMatchObject(own ? { status: 200 } : notFound)
    }
  })

  const keyRoutes = ['listKeys', 'getCurrentKey', 'listMade', 'revokeKey']
  test.each(everyRoute)('%s with the key of a Free account', async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    const outcome = await send(world, name, call, { headers: world.free.keyHeaders })
    if (!keyRoutes.includes(name)) expect(outcome).toEqual(forbidden)
    else expect(outcome).toMatchObject(['listMade', 'revokeKey'].includes(name) ? notFound : { status: 200 })
    expect(await dump(world.db)).toEqual(before)
  })

  const forUploads = ['uploadReport', 'recordGate', 'agentHeartbeat', 'getCurrentKey']
  test.each(everyRoute)('%s with keys of scope read and upload', async (name, { method, status = 200 }, rows) => {
    const world = shared()
    const allowed = { read: method === 'GET' || name === 'checkUpgrade', upload: forUploads.includes(name) }
    for (const scope of ['read', 'upload'] as const) {
      const caller = await world.scoped(scope)
      // The first use of a key is noted.
      await useKey(world, caller.headers)
      for (const [, ask] of transports) {
        const call = await rows.good(world)
        const before = await dump(world.db)
        const outcome = await ask(world, name, call, caller)
        if (allowed[scope]) {
          expect(outcome).toMatchObject({ status })
        } else {
          expect(outcome).toEqual(forbidden)
          expect(await dump(world.db)).toEqual(before)
        }
      }
    }
  })

  test.each([
    ['read', '/labels', 'This API key has the scope read: it cannot change anything.'],
    ['upload', '/labels', 'This API key has the scope upload: it can upload reports and nothing else.'],
    ['upload', '/stats', 'This API key has the scope upload: it can upload reports and nothing else.'],
  ] as const)('a key of scope %s is told so by %s', async (scope, path, message) => {
    const world = shared()
    const { headers } = await world.scoped(scope)
    const body = { label_name: 'x', label_color: '#000000' }
    const answer = await sendTo(world, path, { headers, ...(path === '/labels' && { body }) })
    expect(answer).toMatchObject({ status: 403, body: { message } })
  })

  test('a part of a batch has the scope of its key', async () => {
    const world = shared()
    const { headers } = await world.scoped('read')
    const requests = [{ path: '/relt/v1/labels', body: { label_name: 'x', label_color: '#000000' } }]
    const { body } = await sendTo(world, '/api/batch/v1', { absolute: true, body: { requests }, headers })
    expect(body.responses).toMatchObject([{ status: 403, body: { message: expect.stringContaining('scope read') } }])
  })

  const withIds = everyRoute.filter(([, { path, access }]) => path.includes('{') && access !== 'public')
  test.each(withIds)("%s does not know another user's", async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    const before = await dump(world.db)
    for (const [, ask] of transports) expect(await ask(world, name, call, world.other)).toEqual(notFound)
    expect(await dump(world.db)).toEqual(before)
    for (const [, ask] of transports) {
      expect(await ask(world, name, await rows.good(world), world.owner)).toMatchObject({ status: 200 })
    }
  })

  const catalog = [
    'listProjects',
    'getStats',
    'getRecentReleases',
    'getPopularProjects',
    'listExistingReleases',
    'listAudit',
  ]
  const ownLists = everyRoute.filter(
    ([name, { method, path }]) =>
      method === 'GET' &&
      !path.includes('{') &&
      ![...catalog, 'compareReports', 'getUpgradePlan', 'getUpgradePath', 'getCurrentKey', 'getStatus'].includes(name),
  )
  test.each(ownLists)("%s tells nothing of another user's", async (name, _, rows) => {
    const world = shared()
    const call = await rows.good(world)
    for (const [, ask] of transports) {
      // The report of these rows has no risk paths.
      if (name !== 'listRiskPaths') {
        expect(itemsIn((await ask(world, name, call, world.owner)).answer)).not.toEqual([])
      }
      // Whoever has nothing has a key all the same.
      const items = itemsIn((await ask(world, name, call, world.other)).answer)
      if (name === 'listKeys') expect(items).toEqual([expect.objectContaining({ name: 'test' })])
      else expect(items).toEqual([])
    }
  })

  test.each(transports)("another user's runs and subscriptions are not known, %s", async (_, ask) => {
    const world = shared()
    const { ids, other } = world
    const before = await dump(world.db)
    for (const query of [{}, { cluster_name: 'shop' }, { to_run_id: ids.run }, { from_run_id: ids.run }]) {
      expect(await ask(world, 'compareReports', { query }, other)).toEqual(notFound)
    }
    for (const name of ['updateSettings', 'testNotification', 'sendTestNotification'] as const) {
      const body = { subscription_id: ids.subscription }
      expect(await ask(world, name, { body }, other)).toEqual(notFound)
    }
    expect(await dump(world.db)).toEqual(before)
  })

  test.each(transports)("another user's labels cannot be used for one's own subscription, %s", async (_, ask) => {
    const world = await openWorld()
    const { ids, other } = world
    const { answer } = await ask(world, 'toggleSubscription', { body: { product_id: 1 } }, other)
    const params = { subscription_id: (answer as { subscription_id: number }).subscription_id }
    const before = await dump(world.db)
    expect(await ask(world, 'attachLabels', { params, body: { label_ids: [ids.label] } }, other)).toEqual(notFound)
    const call = { params: { ...params, label_id: ids.label } }
    expect(await ask(world, 'detachLabel', call, other)).toEqual(notFound)
    expect(await dump(world.db)).toEqual(before)
  })
}

/** What is in the lists of an answer, the outer ones. */
function itemsIn(answer: unknown): unknown[] {
  return Object.values(answer ?? {})
    .filter(Array.isArray)
    .flat()
    .concat((answer as { policy?: string | null })?.policy ?? [])
}
