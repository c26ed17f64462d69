import { expect, test } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import type { Plan } from '../../../src/contract/subscription.ts'
import { insertLabel } from '../../../src/store/notifications/label.ts'
import { now } from '../../operations/service.ts'
import { exchange, openServer } from '../socket.ts'
import { send, sendTo, transports } from './ask.ts'
import { type Caller, openWorld, type World } from './world.ts'

const beyond = { status: 403, code: 'rest_forbidden' }

/** What a plan allows, what a batch and a header hold: up to the limit, and one more. */
export function checkLimits(): void {
  const plans: [plan: Plan, name: string, subscriptions: number, keys: number][] = [
    ['free', 'Free', 5, 0],
    ['pro', 'Pro', 50, 3],
    ['pro_plus', 'Pro Plus', 500, 10],
  ]

  test.each(plans)('the plan %s (%s) has %i subscriptions', async (plan, planName, limit) => {
    for (const [, ask] of transports) {
      const { world, user } = await openWith(plan)
      const { id: user_id } = user.user
      await addSubscriptions(world, user_id, limit - 1)
      const toggle = (product_id: number) => ask(world, 'toggleSubscription', { body: { product_id } }, user)
      expect(await toggle(1)).toMatchObject({ status: 200, answer: { subscribed: true } })
      expect(await toggle(2)).toEqual(beyond)
      expect(await toggle(1)).toMatchObject({ status: 200, answer: { subscribed: false } })
      expect(await toggle(2)).toMatchObject({ status: 200, answer: { subscribed: true } })
      const { body } = await sendTo(world, '/toggle-sub', { body: { product_id: 1 }, headers: user.headers })
      expect(body.message).toBe(`The ${planName} plan has a limit of ${limit} subscriptions.`)
      expect(await ask(world, 'getDashboard', {}, user)).toMatchObject({
        answer: { plan: planName, limit, subscription_limit: limit, subscription_count: limit },
      })
    }
  })

  test.each(plans)('the plan %s (%s) has %i subscriptions and %i keys', async (plan, planName, _, limit) => {
    for (const [, ask] of transports) {
      const { world, user } = await openWith(plan)
      const create = () => ask(world, 'createKey', { body: { name: 'one more' } }, user)
      // One has come with the account.
      for (let count = 1; count < limit; count++) expect(await create()).toMatchObject({ status: 200 })
      expect(await create()).toEqual(beyond)
      if (limit === 0) continue
      const { body } = await sendTo(world, '/api-keys', { body: { name: 'x' }, headers: user.headers })
      expect(body.message).toContain(`plan ${planName}`)
      expect(body.message).toContain(String(limit))
      expect(await ask(world, 'listKeys', {}, user)).toMatchObject({ answer: { limit, count: limit, remaining: 0 } })
    }
  })

  test.each(transports)('a user has 100 labels, %s', async (_, ask) => {
    const { world, user } = await openWith('pro')
    for (let i = 0; i < 99; i++) {
      await insertLabel(world.db, user.user.id, { label_name: `label ${i}`, label_color: '#000000' })
    }
    const create = (label_name: string) =>
      ask(world, 'createLabel', { body: { label_name, label_color: '#000000' } }, user)
    expect(await create('the hundredth')).toMatchObject({ status: 200 })
    expect(await create('one more')).toEqual(beyond)
  })

  const part = { path: '/relt/v1/toggle-sub', body: { product_id: 1 } }
  const longPath = (length: number) => ({ path: '/x'.padEnd(length, 'x') })
  const accept = (length: number) => ({ ...part, headers: { Accept: 'x'.repeat(length) } })
  test.each<[string, unknown[], string[] | undefined]>([
    ['no part', [], undefined],
    ['25 parts', Array(25).fill(part), undefined],
    ['26 parts', Array(26).fill(part), ['requests']],
    ['a path of 2001 letters', [longPath(2001)], undefined],
    ['a path of 2002 letters', [longPath(2002)], ['requests.0.path']],
    ['a header of 300 letters', [accept(300)], undefined],
    ['a header of 301 letters', [accept(301)], ['requests.0.headers.Accept']],
  ])('a batch with %s is taken or refused whole', async (_, requests, params) => {
    const world = await openWorld()
    const { headers } = world.owner
    const { status, body } = await sendTo(world, '/api/batch/v1', { absolute: true, body: { requests }, headers })
    if (params === undefined) {
      expect(status).toBe(207)
      expect(body.responses).toHaveLength(requests.length)
    } else {
      expect(body).toMatchObject({ code: 'rest_invalid_param', data: { status: 400 } })
      expect(Object.keys(body.data.params)).toEqual(params)
    }
  })

  test('an idempotency key has 255 letters', async () => {
    const world = await openWorld()
    const upload = (length: number, name: string) => {
      const headers = { ...world.owner.headers, 'idempotency-key': 'x'.repeat(length) }
      return send(world, 'uploadReport', { body: { report: { metadata: { clusterName: name } } } }, { headers })
    }
    expect(await upload(255, 'one')).toMatchObject({ status: 201 })
    expect(await upload(256, 'two')).toEqual({ status: 400, code: 'rest_invalid_param', params: ['Idempotency-Key'] })
  })

  test('a sign-in has a name and a password of 1000 letters', async () => {
    const world = await openWorld()
    const signIn = async (username: string, password: string) => {
      const { status, body } = await sendTo(world, '/session', { body: { username, password } })
      return [status, body.code, Object.keys(body.data.params ?? {}).join()]
    }
    const most = 'x'.repeat(1000)
    expect(await signIn(most, most)).toEqual([401, 'rest_forbidden', ''])
    expect(await signIn(`${most}x`, most)).toEqual([400, 'rest_invalid_param', 'username'])
    expect(await signIn(most, `${most}x`)).toEqual([400, 'rest_invalid_param', 'password'])
  })

  test('the head of a request has 16 KB', async () => {
    const { port } = await openServer()
    const ask = async (size: number) => {
      const start = 'GET /healthz HTTP/1.1\r\nHost: relt.test\r\nConnection: close\r\nX-Long: '
      return (await exchange(port, `${start.padEnd(size - 4, 'x')}\r\n\r\n`, { end: false })).slice(9, 12)
    }
    expect(await ask(16_000)).toBe('200')
    expect(await ask(17_000)).toBe('431')
  })
}

async function openWith(plan: Plan): Promise<{ world: World; user: Caller }> {
  const world = await openWorld()
  world.service.plans = readPlans({ RELT_PLAN_LIMITS: 'interface' })
  return { world, user: await world.signUp('ada', { plan }) }
}

/** To projects that nobody else follows. */
async function addSubscriptions({ db }: World, user_id: number, count: number): Promise<void> {
  const texts = { description: '', category: '', homepage: '', docs_url: '', repo_url: '', logo_url: '' }
  const projects = Array.from({ length: count }, (_, i) => ({
    ...{ slug: `p${i}`, name: `P ${i}`, cncf_status: 'sandbox' as const, origin: 'user' as const, updated_at: now },
    ...texts,
  }))
  const ids = await db.insertInto('project').values(projects).returning('id').execute()
  const settings = {
    ...{ email_enabled: 1, email_frequency: 'daily' as const, release_types_filter: 'app' },
    ...{ webhook_release_types: 'app', use_global_webhooks: 1, notifications_paused: 0, created_at: now },
  }
  const rows = ids.map(({ id: project_id }) => ({ user_id, project_id, ...settings }))
  await db.insertInto('subscription').values(rows).execute()
}
