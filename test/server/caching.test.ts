import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { basePath } from '../../src/server/http/base-path.ts'
import { acceptsGzip } from '../../src/server/http/reply.ts'
import { openHttp } from './http.ts'

const catalog = [
  '/projects',
  '/projects?include_releases=false',
  '/projects/1',
  '/product/1',
  '/projects/1/releases',
  '/stats',
  '/recent-releases',
  '/popular-projects',
  '/openapi.json',
]

test.each(catalog)('%s may be kept by all, and is not sent again to who has it', async (path) => {
  const { call } = await openHttp()
  const first = await call(path)
  expect(first.status).toBe(200)
  expect(first.headers.get('cache-control')).toBe('public, max-age=300, s-maxage=3600')
  const etag = first.headers.get('etag')!
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const again = await call(path, { headers: { 'if-none-match': match } })
    expect(again).toMatchObject({ status: 304, body: '' })
    expect(again.headers.get('etag')).toBe(etag)
    expect(again.headers.get('cache-control')).toContain('public')
    expect(again.headers.get('x-request-id')).not.toBeNull()
  }
  expect((await call(path, { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
})

test.each([
  '/projects?include_releases=true',
  '/projects?include_releases=1',
  '/my-subscriptions',
  '/nothing',
  '/projects?page=0',
])('%s may not be kept', async (path) => {
  const { call } = await openHttp()
  const { headers } = await call(path)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('etag')).toBeNull()
})

test.each([...catalog.slice(0, -1), '/dashboard', '/cluster-reports', '/cluster-configs', '/api-keys'])(
  'what %s tells a user may not be kept',
  async (path) => {
    const { call, signUp } = await openHttp()
    const { headers } = await signUp('ada')
    const answer = await call(path, { headers })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
  },
)

test('the tag changes with what is told', async () => {
  const { call } = await openHttp()
  const tags = await Promise.all(
    ['/projects?page=1', '/projects?page=2'].map(async (path) => (await call(path)).headers.get('etag')),
  )
  expect(new Set(tags).size).toBe(2)
})

test('a HEAD has the headers of the GET', async () => {
  const { call } = await openHttp()
  const head = await call('/stats', { method: 'HEAD' })
  expect(head).toMatchObject({ status: 200, body: '' })
  expect(head.headers.get('etag')).toBe((await call('/stats')).headers.get('etag'))
})

describe('packing', () => {
  test('is for those who take it, and for answers that are worth it', async () => {
    const { app } = await openHttp()
    const get = (path: string, encoding?: string) =>
      app.request(basePath + path, { headers: encoding === undefined ? {} : { 'accept-encoding': encoding } })
    const plain = await get('/projects')
    const packed = await get('/projects', 'br, gzip;q=0.5')
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    expect(packed.headers.get('vary')).toContain('Accept-Encoding')
    expect(packed.headers.get('etag')).not.toBe(plain.headers.get('etag'))
    const body = Buffer.from(await packed.arrayBuffer())
    const text = await plain.text()
    expect(gunzipSync(body).toString()).toBe(text)
    expect(body.length).toBeLessThan(text.length / 2)
    expect((await get('/projects', 'br')).headers.get('content-encoding')).toBeNull()
    expect((await get('/stats', 'gzip')).headers.get('content-encoding')).toBeNull()
  })

  test('keeps the tag usable', async () => {
    const { app } = await openHttp()
    const headers = { 'accept-encoding': 'gzip' }
    const first = await app.request(`${basePath}/projects`, { headers })
    const etag = first.headers.get('etag')!
    expect(etag).toMatch(/-gzip"$/)
    const again = await app.request(`${basePath}/projects`, { headers: { ...headers, 'if-none-match': etag } })
    expect(again.status).toBe(304)
  })

  test.each<[string | undefined, boolean]>([
    [undefined, false],
    ['', false],
    ['gzip', true],
    ['GZIP', true],
    ['*', true],
    ['gzip;q=0', false],
    ['*;q=0, gzip', true],
    ['gzip; q=0, *', false],
    ['deflate, br', false],
    ['gzip;q=x', false],
  ])('is accepted by %j: %s', (header, accepted) => {
    expect(acceptsGzip(header)).toBe(accepted)
  })
})

test('projects with their releases are computed once for many callers, and kept by none of them', async () => {
  const { call, db, clock } = await openHttp()
  const toName = async () => {
    const { headers, body } = await call('/projects?include_releases=true&per_page=1')
    expect(headers.get('cache-control')).toBe('no-store')
    return body.items[0].name as string
  }
  const name = await toName()
  await toName()
  await db.updateTable('project').set({ name: 'Renamed' }).where('name', '=', name).execute()
  expect(await toName()).toBe(name)
  clock.now += 60
  expect(await toName()).not.toBe(name)
})
