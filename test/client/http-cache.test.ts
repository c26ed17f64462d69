import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { HttpCache } from '../../src/client/http-cache.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { json, openHostile, projectPage } from './hostile.ts'
import { openClient } from './open.ts'

const url = 'https://radar.example/api/relt/v1/stats'
const body = Buffer.from('{"größe": 1}')
const answer = (rules: string, etag?: string) => ({ status: 200, headers: { 'cache-control': rules, etag }, body })

function open(start = 1_000_000) {
  const folder = join(temporaryFolder(), 'http')
  const clock = { now: start }
  return { folder, clock, cache: new HttpCache(folder, () => clock.now) }
}

test('a public answer is kept for as long as it says, and its tag after that', async () => {
  const { folder, clock, cache } = open()
  expect(await cache.find(url)).toBeUndefined()
  await cache.put(url, answer('public, max-age=300', '"a"'))
  expect(await cache.find(url)).toEqual({ tag: '"a"', body, isFresh: true })
  expect(await cache.find(`${url}?x`)).toBeUndefined()
  clock.now += 300_000
  expect(await cache.find(url)).toEqual({ tag: '"a"', body, isFresh: false })
  clock.now -= 90_000_000
  expect((await cache.find(url))?.isFresh).toBe(false)
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600)
})

test.each(['no-store', 'private, max-age=60', 'max-age=60', 'public, no-store, max-age=60', 'public, max-age=0', ''])(
  'an answer with "%s" is not kept',
  async (rules) => {
    const { folder, cache } = open()
    await cache.put(url, answer(rules))
    expect(await cache.find(url)).toBeUndefined()
    expect(() => readdirSync(folder)).toThrow('ENOENT')
  },
)

test('an answer that is too large is not kept, and the oldest go when there are many', async () => {
  const { folder, cache } = open()
  await cache.put(url, { ...answer('public, max-age=60'), body: Buffer.alloc(1024 * 1024 + 1, 0x20) })
  expect(await cache.find(url)).toBeUndefined()
  for (let i = 0; i < 210; i++) await cache.put(`${url}?${i}`, answer('public, max-age=60'))
  expect(readdirSync(folder)).toHaveLength(200)
  expect(await cache.find(`${url}?209`)).toBeDefined()
  await cache.clear()
  expect(await cache.find(`${url}?209`)).toBeUndefined()
})

test.each([
  '',
  '{',
  '[]',
  '{"url": "https://other.example", "until": 9, "body": "{}"}',
  `{"url": "${url}", "body": 1}`,
])('a file that holds %j is as if it were not there', async (text) => {
  const { folder, cache } = open()
  await cache.put(url, answer('public, max-age=60'))
  const [name] = readdirSync(folder)
  writeFileSync(join(folder, name!), text)
  expect(await cache.find(url)).toBeUndefined()
  await cache.put(url, answer('public, max-age=60'))
  expect(await cache.find(url)).toBeDefined()
})

test('a folder that cannot be written is no failure', async () => {
  const folder = join(temporaryFolder(), 'file')
  writeFileSync(folder, '')
  const cache = new HttpCache(folder, Date.now)
  await cache.put(url, answer('public, max-age=60'))
  expect(await cache.find(url)).toBeUndefined()
})

describe('a client with a cache', () => {
  const rules = { ...json, 'cache-control': 'public, max-age=300' }

  test('asks once for what stays fresh, and with the tag for what does not', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const { url, requests } = await openHostile((request, response) =>
      request.headers['if-none-match'] === '"v1"'
        ? response.writeHead(304, { ...rules, etag: '"v1"' }).end()
        : response.writeHead(200, { ...rules, etag: '"v1"' }).end(projectPage()),
    )
    const cacheFolder = join(temporaryFolder(), 'http')
    const credentials = async () => ({ username: 'ada', password: 'secret' })
    const client = openClient({ url: `${url}/x`, cacheFolder, credentials })
    const first = await client.call('listProjects', {})
    expect(await client.call('listProjects', {})).toEqual(first)
    expect(requests).toHaveLength(1)
    vi.setSystemTime(Date.now() + 301_000)
    expect(await client.call('listProjects', {})).toEqual(first)
    expect(await client.call('listProjects', {})).toEqual(first)
    expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"v1"'])
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined])
  })

  test('keeps nothing that was answered to somebody', async () => {
    const { url, requests } = await openHostile((request, response) =>
      request.headers.authorization
        ? response.writeHead(200, rules).end(projectPage('private'))
        : response.writeHead(401, json).end('{"code": "rest_forbidden", "message": "x", "data": {"status": 401}}'),
    )
    const cacheFolder = join(temporaryFolder(), 'http')
    mkdirSync(cacheFolder)
    const credentials = async () => ({ username: 'ada', password: 'secret' })
    const client = openClient({ url: `${url}/x`, cacheFolder, credentials })
    await client.call('listProjects', {})
    await client.request({ method: 'GET', path: '/projects' })
    expect(readdirSync(cacheFolder)).toEqual([])
    expect(requests).toHaveLength(3)
  })

  test('forgets the catalog when it changed it', async () => {
    const { url, requests } = await openHostile((request, response) =>
      request.method === 'POST'
        ? response.writeHead(200, json).end('{"success": true, "subscribed": true, "subscription_id": 1}')
        : response.writeHead(200, rules).end(projectPage()),
    )
    const client = openClient({ url: `${url}/x`, cacheFolder: join(temporaryFolder(), 'http') })
    await client.call('listProjects', {})
    await client.call('toggleSubscription', { body: { product_id: 1 } })
    await client.call('listProjects', {})
    expect(requests.map(({ method }) => method)).toEqual(['GET', 'POST', 'GET'])
  })
})

test('addresses that end alike share a file, and neither is taken for the other', async () => {
  const { folder, cache } = open()
  const end = 'x'.repeat(200)
  await cache.put(`https://radar.example/a/${end}`, answer('public, max-age=60'))
  await cache.put(`https://radar.example/b/${end}`, answer('public, max-age=60'))
  expect(readdirSync(folder)).toHaveLength(1)
  expect(await cache.find(`https://radar.example/a/${end}`)).toBeUndefined()
  expect((await cache.find(`https://radar.example/b/${end}`))?.isFresh).toBe(true)
})

test('files are named by what they are, not by what the server says', async () => {
  const { folder, cache } = open()
  await cache.put('https://radar.example/../../etc/passwd', answer('public, max-age=60'))
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{2,200}\.json$/)])
  expect(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')).toContain('größe')
})
