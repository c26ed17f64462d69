import { expect, test } from 'vitest'
import { openHttp } from './http.ts'

test('an address without a user has its share of a minute', async () => {
  const { call, clock } = await openHttp({ rateLimits: { user: 0, address: 3 } })
  const ask = async () => (await call('/stats')).status
  expect([await ask(), await ask(), await ask(), await ask()]).toEqual([200, 200, 200, 429])
  const answer = await call('/nothing')
  expect(answer).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests', data: { status: 429 } } })
  expect(answer.headers.get('retry-after')).toBe('20')
  expect((await call('/stats', { from: '192.0.2.9' })).status).toBe(200)
  clock.now += 20
  expect([await ask(), await ask()]).toEqual([200, 429])
})

test('a user has a share, wherever the calls come from', async () => {
  const { call, signUp } = await openHttp({ rateLimits: { user: 2, address: 1 } })
  const [ada, bob] = [await signUp('ada'), await signUp('bob')]
  const ask = async ({ headers }: typeof ada) => (await call('/dashboard', { headers })).status
  expect([await ask(ada), await ask(ada), await ask(ada)]).toEqual([200, 200, 429])
  expect(await ask(bob)).toBe(200)
  expect((await call('/stats')).status).toBe(200)
})

test('health is always told', async () => {
  const { call } = await openHttp({ rateLimits: { user: 1, address: 1 } })
  for (let i = 0; i < 5; i++) expect((await call('/healthz', { absolute: true })).status).toBe(200)
})
