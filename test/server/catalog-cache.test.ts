import { describe, expect, test } from 'vitest'
import { CatalogCache, publicAnswer } from '../../src/server/http/catalog-cache.ts'
import { openHttp } from './http.ts'

const answerTo = (value: unknown) => ({ ...publicAnswer(value), route: 'getStats', path: '/stats' })

/** Asked for twice. */
function keep(cache: CatalogCache, address: string, value: unknown, generation = 0) {
  for (let i = 0; i < 2; i++) cache.put(address, answerTo(value), { nowMs: 0, generation })
}

describe('the cache of the catalog', () => {
  test('keeps an answer for a while', () => {
    const cache = new CatalogCache()
    keep(cache, '/a', { a: 1 })
    expect(cache.find('/a', 9_999)).toEqual({ ...answerTo({ a: 1 }), body: Buffer.from('{"a":1}') })
    expect(cache.find('/b', 0)).toBeUndefined()
    expect(cache.find('/a', 10_000)).toBeUndefined()
    expect(cache.size).toBe(0)
  })

  test('keeps what is asked for a second time', () => {
    const cache = new CatalogCache()
    cache.put('/a', answerTo(1), { nowMs: 0, generation: 0 })
    expect([cache.find('/a', 0), cache.size]).toEqual([undefined, 0])
    cache.put('/a', answerTo(2), { nowMs: 0, generation: 0 })
    expect(cache.find('/a', 0)?.body).toEqual(Buffer.from('2'))
  })

  test('takes nothing that was read before it was cleared', () => {
    const cache = new CatalogCache()
    const { generation } = cache
    cache.clear()
    keep(cache, '/a', 1, generation)
    expect(cache.find('/a', 0)).toBeUndefined()
  })

  test('stays small, and lets go of the oldest', () => {
    const cache = new CatalogCache()
    const text = 'x'.repeat(1_000_000)
    for (let i = 0; i < 100; i++) keep(cache, `/${i}`, text)
    expect(cache.size).toBeLessThanOrEqual(16_000_000)
    expect(cache.find('/0', 0)).toBeUndefined()
    expect(cache.find('/99', 0)?.tag).toBe(publicAnswer(text).tag)
    keep(cache, '/large', 'x'.repeat(5_000_000))
    keep(cache, `/${'long'.repeat(100)}`, 1)
    expect(cache.find('/large', 0)).toBeUndefined()
    expect(cache.find(`/${'long'.repeat(100)}`, 0)).toBeUndefined()
  })
})

test('a changed catalog is told at once, also to who is nobody', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('root', { role: 'admin' })
  const newest = async () => (await call('/projects/1/releases')).body.items[0]?.version
  const before = await newest()
  expect(await newest()).toBe(before)
  const body = { product_id: 1, version: '999.0.0', type: 'app', published_at: '2026-08-31 00:00:00' }
  expect((await call('/add-release', { headers, body })).status).toBe(200)
  expect(await newest()).toBe('999.0.0')
})

test('how many follow a project is told at once', async () => {
  const { call, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  const followed = async () =>
    (await call('/popular-projects?limit=1')).body.projects.map((each: { id: number; subscriber_count: number }) => [
      each.id,
      each.subscriber_count,
    ])
  await followed()
  await followed()
  await call('/toggle-sub', { headers, body: { product_id: 3 } })
  expect(await followed()).toEqual([[3, 1]])
})

test('what another process changes is told after a while', async () => {
  const { call, db, clock } = await openHttp()
  const name = async () => (await call('/projects/1')).body.product.name
  await name()
  const before = await name()
  await db.updateTable('project').set({ name: 'Renamed' }).where('id', '=', 1).execute()
  expect(await name()).toBe(before)
  clock.now += 10
  expect(await name()).toBe('Renamed')
})
