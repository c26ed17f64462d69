import { describe, expect, test } from 'vitest'
import { openRoutes, refusalFor, type TestRoutes } from '../../harness.ts'

const labelRoutes = ['listLabels', 'createLabel', 'updateLabel', 'deleteLabel', 'attachLabels', 'detachLabel'] as const

test.each(labelRoutes)('%s refuses who is not signed in, and the Free plan', async (name) => {
  const { as, bob } = await openRoutes()
  expect(await refusalFor(as(undefined, name))).toBe('unauthenticated: Authentication is required.')
  expect(await refusalFor(as(bob, name))).toBe('forbidden: API access requires a Pro plan.')
})

const color = '#1f6feb'

async function openLabels() {
  const service = await openRoutes()
  const { as, ada, db } = service
  const eve = { ...(await service.addUser('eve')), plan: 'pro_plus' as const }
  await db.updateTable('user').set({ plan: 'pro_plus' }).where('id', '=', eve.id).execute()
  return {
    ...service,
    eve,
    add: async (label_name: string, user = ada) =>
      (await as(user, 'createLabel', { body: { label_name, label_color: color } })).label_id,
    rename: (id: number | string, label_name: string, label_color = color) =>
      as(ada, 'updateLabel', { params: { id: `${id}` }, body: { label_name, label_color } }),
    remove: (id: number | string) => as(ada, 'deleteLabel', { params: { id: `${id}` } }),
    attach: (id: number | string, label_ids: number[]) =>
      as(ada, 'attachLabels', { params: { subscription_id: `${id}` }, body: { label_ids } }),
    detach: (id: number | string, label: number | string) =>
      as(ada, 'detachLabel', { params: { subscription_id: `${id}`, label_id: `${label}` } }),
    /** The labels' ids of each subscription. */
    attached: () => attachedOf(as, ada),
  }
}

async function attachedOf(as: TestRoutes['as'], user: TestRoutes['ada']) {
  const { subscriptions } = await as(user, 'listSubscriptions')
  return subscriptions.map((subscription) => subscription.labels.map((label) => label.id))
}

describe('labels', () => {
  test('are listed by name, with counts, to their user alone', async () => {
    const { as, ada, eve, add, attach, subscribe } = await openLabels()
    const prod = await add('prod')
    const dev = await add('Dev')
    await add('theirs', eve)
    await attach(await subscribe(ada, 'nginx'), [prod, dev])
    await attach(await subscribe(ada, 'harbor'), [prod])
    expect(await as(ada, 'listLabels')).toEqual({
      labels: [
        { id: dev, label_name: 'Dev', label_color: color, subscription_count: 1 },
        { id: prod, label_name: 'prod', label_color: color, subscription_count: 2 },
      ],
    })
    await as(ada, 'toggleSubscription', {
      body: { product_id: (await as(ada, 'getMySubscriptions')).subscribed_ids[0] },
    })
    expect((await as(ada, 'listLabels')).labels.map((label) => label.subscription_count)).toEqual([1, 1])
  })

  test.each(['prod', 'PROD', ' prod '])('refuses a second %j', async (name) => {
    const { add, rename, eve } = await openLabels()
    await add('prod')
    const dev = await add('dev')
    const refusal = 'conflict: Another label is named prod.'
    expect(await refusalFor(add(name))).toBe(refusal)
    expect(await refusalFor(rename(dev, name))).toBe(refusal)
    await add(name, eve)
  })

  test('compares names of any script without regard to case', async () => {
    const { add } = await openLabels()
    await add('Ärger')
    expect(await refusalFor(add('ÄRGER'))).toMatch(/^conflict/)
    expect(await refusalFor(add('a\u0308rger'))).toMatch(/^conflict/)
  })

  test('are changed; a refused name changes nothing', async () => {
    const { as, ada, add, rename } = await openLabels()
    const id = await add('prod')
    await add('dev')
    expect(await rename(id, 'PROD', '#FFFFFF')).toEqual({ success: true })
    const expected = { id, label_name: 'PROD', label_color: '#FFFFFF', subscription_count: 0 }
    expect((await as(ada, 'listLabels')).labels[1]).toEqual(expected)
    expect(await refusalFor(rename(id, 'DEV'))).toMatch(/^conflict/)
    expect((await as(ada, 'listLabels')).labels[1]).toEqual(expected)
  })

  test.each([
    [{}, 'invalid_param: Missing parameter(s): label_name, label_color'],
    [{ label_name: ' ', label_color: color }, 'invalid_param: Invalid parameter(s): label_name'],
    [{ label_name: 'x'.repeat(101), label_color: color }, 'invalid_param: Invalid parameter(s): label_name'],
    [{ label_name: 'x', label_color: 'red' }, 'invalid_param: Invalid parameter(s): label_color'],
    [{ label_name: 'x', label_color: '#12345' }, 'invalid_param: Invalid parameter(s): label_color'],
  ])('refuse %j', async (body, refusal) => {
    const { as, ada } = await openLabels()
    expect(await refusalFor(as(ada, 'createLabel', { body }))).toBe(refusal)
  })

  test('are at most a hundred for each user', async () => {
    const { as, ada, eve, add } = await openLabels()
    const settled = await Promise.allSettled(Array.from({ length: 105 }, (_, number) => add(`label ${number}`)))
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(100)
    expect((await as(ada, 'listLabels')).labels).toHaveLength(100)
    expect(await refusalFor(add('one more'))).toBe('forbidden: The limit of 100 labels is reached.')
    await add('theirs', eve)
  })

  test('go from all subscriptions when they are deleted', async () => {
    const { ada, add, attach, attached, remove, subscribe, db } = await openLabels()
    const [prod, dev] = [await add('prod'), await add('dev')]
    for (const slug of ['argo-cd', 'nginx']) await attach(await subscribe(ada, slug), [prod, dev])
    expect(await attached()).toEqual([
      [dev, prod],
      [dev, prod],
    ])
    expect(await remove(prod)).toEqual({ success: true })
    expect(await attached()).toEqual([[dev], [dev]])
    expect(await db.selectFrom('subscription_label').select('label_id').execute()).toHaveLength(2)
    expect(await refusalFor(remove(prod))).toBe(`not_found: No label with id ${prod}.`)
  })

  test('of others are unknown', async () => {
    const { as, eve, add, rename, remove } = await openLabels()
    const theirs = await add('theirs', eve)
    for (const id of [theirs, 999_999, 'x', '1.5', '9'.repeat(30)]) {
      expect(await refusalFor(rename(id, 'mine'))).toBe(`not_found: No label with id ${id}.`)
      expect(await refusalFor(remove(id))).toBe(`not_found: No label with id ${id}.`)
    }
    expect((await as(eve, 'listLabels')).labels).toMatchObject([{ label_name: 'theirs' }])
  })
})

describe('labels of a subscription', () => {
  test('are attached once, and detached', async () => {
    const { ada, add, attach, attached, detach, subscribe } = await openLabels()
    const [a, b] = [await add('a'), await add('b')]
    const id = await subscribe(ada, 'nginx')
    expect(await attach(id, [])).toEqual({ success: true })
    expect(await attached()).toEqual([[]])
    expect(await attach(id, [b, b])).toEqual({ success: true })
    expect(await attach(id, [b, a])).toEqual({ success: true })
    expect(await attached()).toEqual([[a, b]])
    expect(await detach(id, a)).toEqual({ success: true })
    expect(await attached()).toEqual([[b]])
    expect(await refusalFor(detach(id, a))).toBe(`not_found: No attached label with id ${a}.`)
  })

  test('are attached all or none', async () => {
    const { ada, eve, add, attach, attached, subscribe } = await openLabels()
    const mine = await add('mine')
    const theirs = await add('theirs', eve)
    const id = await subscribe(ada, 'nginx')
    for (const wrong of [theirs, 999_999, -1]) {
      expect(await refusalFor(attach(id, [mine, wrong]))).toBe(`not_found: No label with id ${wrong}.`)
    }
    expect(await attached()).toEqual([[]])
  })

  test('belong to a subscription of the caller', async () => {
    const { as, eve, add, attach, detach, subscribe } = await openLabels()
    const mine = await add('mine')
    const theirs = await add('theirs', eve)
    const foreign = await subscribe(eve, 'nginx')
    const params = { subscription_id: `${foreign}` }
    await as(eve, 'attachLabels', { params, body: { label_ids: [theirs] } })
    for (const id of [foreign, 999_999, 'x']) {
      const refusal = `not_found: No subscription with id ${id}.`
      expect(await refusalFor(attach(id, [mine]))).toBe(refusal)
      expect(await refusalFor(detach(id, theirs))).toBe(refusal)
    }
    expect(await attachedOf(as, eve)).toEqual([[theirs]])
  })
})
