import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import { ApiKey } from '../../src/contract/api-key.ts'
import { routes } from '../../src/contract/routes.ts'
import { authenticate } from '../../src/operations/accounts/authenticate.ts'
import { updateUser } from '../../src/store/accounts/user.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { refusalFor } from '../operations/service.ts'
import { bytesOfStore, hour, openAccounts } from './accounts.ts'

const issued = /^[A-Za-z]{4}( [A-Za-z]{4}){5}$/

describe('creating an API key', () => {
  test('answers with the password and the item of the contract', async () => {
    const { add, callAs } = await openAccounts()
    await add('ada')
    const answer = await callAs('ada', 'createKey', { body: { name: ' CI of the shop ' } })
    expect(answer).toEqual({
      success: true,
      password: expect.stringMatching(issued),
      item: {
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'CI of the shop',
        created: '2026-09-01 12:00:00',
        expires_at: null,
        scope: 'all',
        last_used: null,
        made_by: expect.stringMatching(/^password of \d+$/),
        replaces: null,
      },
    })
    expect(ApiKey.safeParse(answer.item).success).toBe(true)
  })

  test('draws every letter, each password another', async () => {
    const { add, callAs } = await openAccounts(':memory:', readPlans({ RELT_PLAN_LIMITS: 'pro.keys=1000' }))
    await add('ada')
    const passwords = new Set<string>()
    for (let i = 0; i < 300; i++) passwords.add((await callAs('ada', 'createKey', { body: { name: 'x' } })).password)
    expect(passwords.size).toBe(300)
    const counts = Map.groupBy([...passwords].join('').replaceAll(' ', ''), (letter) => letter)
    expect(counts.size).toBe(52)
    // 7200 letters: some 138 each, with a deviation of 12.
    for (const [, some] of counts) expect(Math.abs(some.length - 7200 / 52)).toBeLessThan(80)
  })

  test.each([
    ['a missing name', {}, 'invalid_param: Missing parameter(s): name'],
    ['an empty name', { name: ' ' }, 'invalid_param: Invalid parameter(s): name'],
    ['a long name', { name: 'x'.repeat(101) }, 'invalid_param: Invalid parameter(s): name'],
    ['a name of two lines', { name: 'a\nb' }, 'invalid_param: Invalid parameter(s): name'],
    ['a name that is no text', { name: 7 }, 'invalid_param: Invalid parameter(s): name'],
  ])('refuses %s', async (_, body, refusal) => {
    const { add, callAs } = await openAccounts()
    await add('ada')
    expect(await refusalFor(callAs('ada', 'createKey', { body }))).toBe(refusal)
    expect(await callAs('ada', 'listKeys')).toMatchObject({ count: 0 })
  })

  test('is refused to Free accounts and to nobody', async () => {
    const { add, callAs } = await openAccounts()
    await add('ada', { plan: 'free' })
    const request = { body: { name: 'x' }, params: { uuid: 'a' } }
    expect(await refusalFor(callAs('ada', 'createKey', request))).toBe('forbidden: API access requires a Pro plan.')
    for (const name of ['createKey', 'listKeys', 'revokeKey'] as const) {
      expect(await refusalFor(callAs(undefined, name, request))).toBe('unauthenticated: Authentication is required.')
    }
  })

  test('has no limit on any plan when none is set', async () => {
    const { add, callAs } = await openAccounts(':memory:', readPlans({}))
    for (const plan of ['free', 'pro', 'pro_plus'] as const) {
      await add(plan, { plan })
      for (let i = 0; i < 11; i++) await callAs(plan, 'createKey', { body: { name: 'x' } })
      const limits = { count: 11, limit: 2_147_483_647, remaining: 2_147_483_636 }
      expect(await callAs(plan, 'listKeys')).toMatchObject(limits)
    }
  })

  test('refuses an expiry that has passed', async () => {
    const { add, callAs } = await openAccounts()
    await add('ada')
    const create = (expires_at: string) => refusalFor(callAs('ada', 'createKey', { body: { name: 'x', expires_at } }))
    expect(await create('2026-09-01 12:00:00')).toBe('invalid_param: Invalid parameter(s): expires_at')
    expect(await create('2026-09-01 12:00:01')).toBe('none')
  })

  test('does not count expired keys towards the limit', async () => {
    const { add, callAs, clock } = await openAccounts()
    await add('ada')
    const create = () =>
      refusalFor(callAs('ada', 'createKey', { body: { name: 'x', expires_at: '2026-09-01 13:00:00' } }))
    for (let i = 0; i < 3; i++) expect(await create()).toBe('none')
    expect(await create()).toMatch(/^forbidden/)
    clock.now += hour
    expect(await callAs('ada', 'listKeys')).toMatchObject({ count: 0, remaining: 3 })
    expect((await callAs('ada', 'listKeys')).keys).toHaveLength(3)
    expect(await refusalFor(callAs('ada', 'createKey', { body: { name: 'y' } }))).toBe('none')
  })

  test.each([
    ['pro', 3, 'forbidden: The limit of the plan Pro is 3 API keys.'],
    ['pro_plus', 10, 'forbidden: The limit of the plan Pro Plus is 10 API keys.'],
  ] as const)('stops at the limit of %s, also when twenty come at once', async (plan, limit, refusal) => {
    const { add, callAs } = await openAccounts()
    await add('ada', { plan })
    await add('grace')
    const attempts = Array.from({ length: 20 }, (_, i) => callAs('ada', 'createKey', { body: { name: `key ${i}` } }))
    const results = await Promise.allSettled(attempts)
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(limit)
    const refusals = await Promise.all(attempts.map((attempt) => refusalFor(attempt)))
    expect(new Set(refusals)).toEqual(new Set(['none', refusal]))
    expect(await callAs('ada', 'listKeys')).toMatchObject({ limit, count: limit, remaining: 0 })
    expect(await callAs('grace', 'createKey', { body: { name: 'x' } })).toMatchObject({ success: true })
  })

  test('is possible again after a key was revoked, or the plan has grown', async () => {
    const { db, add, callAs } = await openAccounts()
    await add('ada')
    const make = () => callAs('ada', 'createKey', { body: { name: 'x' } })
    const [first] = [await make(), await make(), await make()]
    expect(await refusalFor(make())).toMatch(/^forbidden/)
    await callAs('ada', 'revokeKey', { params: { uuid: first!.item.uuid } })
    await make()
    expect(await refusalFor(make())).toMatch(/^forbidden/)
    await updateUser(db, 'ada', { plan: 'pro_plus' })
    await make()
    await updateUser(db, 'ada', { plan: 'pro' })
    expect(await callAs('ada', 'listKeys')).toMatchObject({ limit: 3, count: 4, remaining: 0 })
  })
})

describe('listing API keys', () => {
  test('shows the own ones, without secrets, in the shape of the contract', async () => {
    const { add, callAs } = await openAccounts()
    await add('ada')
    await add('grace')
    const mine = [
      await callAs('ada', 'createKey', { body: { name: 'one' } }),
      await callAs('ada', 'createKey', { body: { name: 'two' } }),
    ]
    await callAs('grace', 'createKey', { body: { name: 'three' } })
    const answer = await callAs('ada', 'listKeys')
    expect(answer).toEqual({ keys: mine.map((key) => key.item), limit: 3, count: 2, remaining: 1 })
    expect(routes.listKeys.answer.safeParse(answer).success).toBe(true)
  })
})

describe('revoking an API key', () => {
  test('ends it at once', async () => {
    const accounts = await openAccounts()
    await accounts.add('ada')
    const { password, item } = await accounts.callAs('ada', 'createKey', { body: { name: 'x' } })
    expect(await authenticate(accounts, 'ada', password, accounts.now())).toMatchObject({ login: 'ada' })
    expect(await accounts.callAs('ada', 'revokeKey', { params: { uuid: item.uuid } })).toEqual({ success: true })
    expect(await authenticate(accounts, 'ada', password, accounts.now())).toBeUndefined()
    expect(await accounts.callAs('ada', 'listKeys')).toMatchObject({ keys: [], count: 0, remaining: 3 })
  })

  test("does not find an unknown, a revoked or another user's key", async () => {
    const { add, callAs } = await openAccounts()
    await add('ada')
    await add('grace', { role: 'admin' })
    const { item } = await callAs('ada', 'createKey', { body: { name: 'x' } })
    const refused = 'not_found: No API key found.'
    const revokeAs = (login: string, uuid: string) => refusalFor(callAs(login, 'revokeKey', { params: { uuid } }))
    expect(await revokeAs('grace', item.uuid)).toBe(refused)
    expect(await callAs('ada', 'listKeys')).toMatchObject({ count: 1 })
    const [unknown, odd] = ['0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e', "x' or 1=1 --"]
    expect(await revokeAs('ada', unknown)).toBe(refused)
    expect(await revokeAs('ada', odd)).toBe(refused)
    expect(await revokeAs('ada', item.uuid)).toBe('none')
    expect(await revokeAs('ada', item.uuid)).toBe(refused)
  })
})

test('the password is nowhere in the store', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const { add, callAs } = await openAccounts(file)
  await add('ada')
  const { password, item } = await callAs('ada', 'createKey', { body: { name: 'a name to find' } })
  const bytes = bytesOfStore(file)
  expect(bytes.includes('a name to find')).toBe(true)
  expect(bytes.includes(item.uuid)).toBe(true)
  for (const secret of [password, password.replaceAll(' ', '')]) expect(bytes.includes(secret)).toBe(false)
})
