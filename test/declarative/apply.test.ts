import { describe, expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { channelTable } from '../../src/contract/channel-table.ts'
import { channelSecret } from '../../src/contract/channels.ts'
import { openRoutes, refusalFor } from '../service/harness.ts'
import { apply, exportAll, plan, toClient } from './client.ts'

async function open(plans = '') {
  const routes = await openRoutes(plans)
  return { ...routes, client: toClient(routes, routes.ada) }
}

const toNames = async (client: Client) => (await exportAll(client)).wanted.subscriptions!.map(({ project }) => project)

/** A client that runs something before each call of a route. */
function before(client: Client, route: string, work: (times: number) => Promise<unknown>): Client {
  let times = 0
  return {
    ...client,
    call: async (name, input) => {
      if (name === route) await work(++times)
      return client.call(name, input)
    },
  }
}

test('only what differs is changed', async () => {
  const { client } = await open()
  await apply(client, 'labels: [{name: Prod, color: "#111111"}]\nsubscriptions: [{project: Harbor, labels: [prod]}]')
  const { actions } = await plan(
    client,
    'labels: [{name: prod, color: "#222222"}]\nsubscriptions: [{project: harbor, email_enabled: true, email_frequency: weekly, labels: []}, {project: istio}]',
  )
  expect(actions.map(({ step: _, ...action }) => action)).toEqual([
    {
      change: 'change',
      kind: 'label',
      name: 'prod',
      fields: [
        { name: 'name', from: 'Prod', to: 'prod' },
        { name: 'color', from: '#111111', to: '#222222' },
      ],
    },
    {
      change: 'change',
      kind: 'subscription',
      name: 'Harbor',
      fields: [
        { name: 'email_frequency', from: 'per_app', to: 'weekly' },
        { name: 'labels', from: 'Prod', to: 'none' },
      ],
    },
    { change: 'add', kind: 'subscription', name: 'Istio', fields: [] },
  ])
})

test('a setting of a profile that no scan has stays in the store, and out of an export', async () => {
  const { client } = await open()
  const settings = { radar: { upload: true, api_password: 'secret' }, custom: 1 }
  const { config_id } = await client.call('createConfig', { body: { name: 'shop', settings } })
  const { wanted } = await exportAll(client)
  expect(wanted.profiles).toEqual([expect.objectContaining({ settings: { radar: { upload: true } } })])
  await apply(client, 'profiles: [{name: shop, settings: {radar: {compare: true}}}]')
  const { settings: after } = await client.call('getConfig', { params: { config_id: config_id! } })
  expect(after).toEqual({ radar: { compare: true, api_password: 'secret' }, custom: 1 })
  expect((await plan(client, 'profiles: [{name: shop, settings: {}}]')).actions[0]!.fields).toEqual([
    { name: 'settings.radar.compare', from: 'true', to: 'none' },
  ])
})

describe('pruning', () => {
  test('removes of what the file mentions, and of nothing else', async () => {
    const { client } = await open()
    await apply(
      client,
      `account: {slack_webhook: "https://chat.example/a", teams_webhook: "https://chat.example/b"}
labels: [{name: a, color: "#111111"}, {name: b, color: "#111111"}]
subscriptions: [{project: Harbor, labels: [a]}, {project: Istio}]
profiles: [{name: shop}]`,
    )
    const removed = async (yaml: string) =>
      (await plan(client, yaml, { prune: true })).actions.map(({ change, kind, name }) => `${change} ${kind} ${name}`)
    expect(await removed('')).toEqual([])
    expect(await removed('subscriptions: [{project: Istio}]')).toEqual(['remove subscription Harbor'])
    expect(await removed('labels: []\nsubscriptions: [{project: Istio, labels: [A]}]')).toEqual([
      'remove subscription Harbor',
      'remove label b',
      'change subscription Istio',
    ])
    expect(await removed('profiles: []\naccount: {teams_webhook: "https://chat.example/b"}')).toEqual([
      'remove profile shop',
      'remove account slack_webhook',
    ])
  })

  test('makes room for what comes before it comes', async () => {
    const { client } = await open('pro.subscriptions=1')
    await apply(client, 'subscriptions: [{project: Harbor}]')
    expect(await apply(client, 'subscriptions: [{project: Istio}]', { prune: true })).toEqual({ applied: 2 })
    expect(await toNames(client)).toEqual(['Istio'])
  })
})

describe('a failure', () => {
  test('at the limit of the plan ends it, and the rest is done when there is room', async () => {
    const { client } = await open('pro.subscriptions=2')
    const yaml = 'subscriptions: [{project: Harbor}, {project: Istio}, {project: nginx}, {project: Quiet}]'
    expect(await apply(client, yaml)).toEqual({
      applied: 2,
      failure: expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('limit of 2') }),
    })
    expect(await toNames(client)).toEqual(['Harbor', 'Istio'])
    expect((await plan(client, yaml)).actions.map(({ name }) => name)).toEqual(['nginx', 'Quiet'])
  })

  test('within one action is made good by applying again', async () => {
    const { client } = await open()
    const yaml = 'subscriptions: [{project: Harbor, email_frequency: weekly}]'
    const broken = before(client, 'updateSettings', () => Promise.reject(new Error('broken')))
    expect(await apply(broken, yaml)).toEqual({ applied: 0, failure: new Error('broken') })
    expect(await apply(client, yaml)).toEqual({ applied: 1 })
    expect((await plan(client, yaml)).actions).toEqual([])
  })
})

describe('somebody else at the same time', () => {
  const yaml = 'subscriptions: [{project: Harbor, email_frequency: weekly}]'

  test('who subscribes after the plan is no obstacle', async () => {
    const { client, ada, subscribe } = await open()
    const raced = before(client, 'getMySubscriptions', () => subscribe(ada, 'harbor'))
    expect(await apply(raced, yaml)).toEqual({ applied: 1 })
    expect((await plan(client, yaml, { prune: true })).actions).toEqual([])
  })

  test('who subscribes between looking and asking is no obstacle', async () => {
    const { client, ada, subscribe } = await open()
    const raced = before(client, 'toggleSubscription', async (times) => times === 1 && subscribe(ada, 'harbor'))
    expect(await apply(raced, yaml)).toEqual({ applied: 1 })
    expect((await plan(client, yaml, { prune: true })).actions).toEqual([])
  })

  test('who never stops makes it give up', async () => {
    const { client, ada, subscribe } = await open()
    const raced = before(client, 'toggleSubscription', () => subscribe(ada, 'harbor'))
    expect(await apply(raced, yaml)).toMatchObject({ applied: 0, failure: { code: 'busy' } })
  })

  test('who unsubscribes first has done what pruning wants', async () => {
    const { client, ada, subscribe } = await open()
    await apply(client, yaml)
    const raced = before(client, 'getMySubscriptions', () => subscribe(ada, 'harbor'))
    expect(await apply(raced, 'subscriptions: []', { prune: true })).toEqual({ applied: 1 })
    expect(await toNames(client)).toEqual([])
  })
})

describe('webhooks', () => {
  const yaml = 'account: {slack_webhook: env:HOOK}'
  const variables = { HOOK: 'https://hooks.slack.com/services/T0/B0/xyz' }

  test('of which the variable is not set are not compared', async () => {
    const { client } = await open()
    expect(await plan(client, yaml)).toMatchObject({ actions: [{ kind: 'account' }], unset: ['HOOK'] })
    await apply(client, yaml, { variables })
    expect(await plan(client, yaml)).toEqual({ actions: [], unset: ['HOOK'] })
    expect(await plan(client, yaml, { variables })).toEqual({ actions: [], unset: [] })
    const other = { HOOK: 'https://hooks.slack.com/services/T0/B0/other' }
    expect((await plan(client, yaml, { variables: other })).actions[0]!.fields).toEqual([
      { name: 'slack_webhook', from: 'https://hooks.slack.com/services/…', to: 'env:HOOK' },
    ])
  })

  test('that a service answers shortened are the same when they shorten to that', async () => {
    const { client } = await open()
    const shortened = channelSecret(channelTable.slack, 'https://hooks.slack.com/services/…')
    const call: Client['call'] = async (name, input) => {
      const answer = await client.call(name, input)
      return name === 'getDashboard' ? ({ ...(answer as object), slack_webhook: shortened } as typeof answer) : answer
    }
    expect((await plan({ ...client, call }, yaml, { variables })).actions).toEqual([])
  })

  test('are no address: the variable is named, not what it holds', async () => {
    const { client } = await open()
    const error = await plan(client, yaml, { variables: { HOOK: 'secret' } }).catch((error) => error)
    expect(error).toMatchObject({ code: 'usage', params: { 'relt.yaml:1': 'HOOK holds no https address' } })
  })
})

describe('what means nothing is refused with its line', () => {
  test.each([
    ['subscriptions:\n- project: Harbour\n', 'relt.yaml:2', 'no project is called "Harbour"; did you mean Harbor?'],
    ['subscriptions:\n- project: argo\n', 'relt.yaml:2', 'no project is called "argo"'],
    ['subscriptions:\n- project: 999\n', 'relt.yaml:2', 'no project is called "999"'],
    ['subscriptions:\n- project: Harbor\n- project: HARBOR\n', 'relt.yaml:3', 'Harbor appears twice'],
    [
      'subscriptions:\n- project: Harbor\n  labels:\n  - x\n',
      'relt.yaml:4',
      'no label is called "x": add it to labels',
    ],
    ['profiles:\n- name: twin\n', 'relt.yaml:2', '2 profiles are called "twin": rename them'],
  ])('%j', async (yaml, place, problem) => {
    const { client } = await open()
    for (const name of ['twin', 'twin']) await client.call('createConfig', { body: { name } })
    const error = await plan(client, yaml).catch((error) => error)
    expect(error).toMatchObject({ code: 'usage', params: { [place]: expect.stringContaining(problem) } })
  })

  test('profiles of one name cannot be exported', async () => {
    const { client } = await open()
    for (const name of ['twin', 'twin']) await client.call('createConfig', { body: { name } })
    expect(await refusalFor(exportAll(client))).toBe('usage: Several profiles are called "twin".')
  })
})

test('a project is found by its id', async () => {
  const { client, ids } = await open()
  const yaml = `subscriptions: [{project: ${ids.harbor}}, {project: "${ids.istio}"}]`
  expect(await apply(client, yaml)).toEqual({ applied: 2 })
  expect(await toNames(client)).toEqual(['Harbor', 'Istio'])
  expect((await plan(client, yaml, { prune: true })).actions).toEqual([])
})

test('types of releases are the same in any order', async () => {
  const { client } = await open()
  await apply(client, 'subscriptions: [{project: Harbor, release_types_filter: "app,pre"}]')
  expect((await plan(client, 'subscriptions: [{project: Harbor, release_types_filter: "pre, app"}]')).actions).toEqual(
    [],
  )
})

test('projects of one name are told apart by their ids, and so is one whose name is a number', async () => {
  const { client, ids, db } = await open()
  const rename = (slug: string, name: string) =>
    db.updateTable('project').set({ name }).where('slug', '=', slug).execute()
  await rename('quiet', 'harbor')
  await rename('nginx', '77')
  const error = await plan(client, 'subscriptions: [{project: Harbor}]').catch((error) => error)
  expect(error.params).toEqual({ 'relt.yaml:1': 'several projects are named Harbor: use the id' })

  await apply(client, `subscriptions: [{project: ${ids.harbor}}, {project: ${ids.nginx}}]`)
  expect(await toNames(client)).toEqual([ids.nginx, 'Harbor'])
  expect((await plan(client, 'subscriptions: [{project: Harbor}]')).actions).toEqual([])

  await apply(client, `subscriptions: [{project: ${ids.quiet}}]`)
  expect(await toNames(client)).toEqual([ids.nginx, ids.harbor, ids.quiet])
})
