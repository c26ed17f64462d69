import { XMLParser } from 'fast-xml-parser'
import { beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { renderAtom } from '../../src/html/feeds/atom.ts'
import { hostileTexts } from '../html/hostile.ts'
import { fill, openSite, type Site } from './site.ts'

let site: Site
const closing: (() => Promise<void>)[] = []
beforeAll(async () => {
  site = await openSite({}, (close) => closing.push(close))
  await fill(site)
  return async () => {
    for (const close of closing) await close()
  }
})

const create = async (headers = site.ada.headers) => (await site.call('/feeds', { method: 'POST', headers })).body
const read = (path: string, headers: Record<string, string> = {}) => site.call(path, { absolute: true, headers })
const parse = (text: string) => new XMLParser({ ignoreAttributes: false }).parse(text)

test('a feed of releases lists those of the subscriptions', async () => {
  const published_at = '2026-08-30 10:00:00'
  const release = { product_id: 1, version: 'v99.0.0', type: 'app', has_security_fix: true, security_severity: 'high' }
  await site.call('/add-release', { headers: site.ada.headers, body: { ...release, published_at } })
  const { path, url, item } = await create()
  expect(item).toMatchObject({ team: 'platform', last_used: null })
  expect(url).toBe(`http://localhost${path}`)
  const { status, headers, body } = await read(path)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/atom+xml; charset=utf-8'])
  const [entry] = [parse(body).feed.entry].flat()
  expect(entry).toMatchObject({
    title: expect.stringContaining('v99.0.0 (security fix, high)'),
    updated: '2026-08-30T10:00:00Z',
  })
  expect(parse(body).feed.subtitle).toBeUndefined()
})

test('a client that has the feed gets 304 with the same headers, whatever the coding of its copy', async () => {
  const { path } = await create()
  const packed = await read(path, { 'accept-encoding': 'gzip' })
  const tag = packed.headers.get('etag')!
  // Two codings have different bytes, so a strong tag would be wrong.
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/)
  for (const known of [tag, tag.slice(2), `"a", ${tag}`, '*']) {
    const { status, headers } = await read(path, { 'if-none-match': known, 'x-forwarded-proto': 'https' })
    expect([known, status, headers.get('etag'), headers.get('vary')]).toEqual([known, 304, tag, 'Accept-Encoding'])
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  }
  expect((await read(path, { 'if-none-match': `"${tag}"` })).status).toBe(200)
})

test('a feed of releases says that its catalog is old', async () => {
  const { path } = await create()
  const { now } = site.clock
  site.clock.now += 90 * 86_400
  expect(parse((await read(path)).body).feed.subtitle).toMatch(/^Facts are up to \d+ days old, so newer releases/)
  site.clock.now = now
})

test('a feed without entries has the same tag while nothing changes', async () => {
  const { path, item } = await create(site.eve.headers)
  const { headers } = await read(path)
  site.clock.now += 60
  expect((await read(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
  await site.call(`/feeds/${item.feed_id}`, { method: 'DELETE', headers: site.eve.headers })
})

test('feeds answer with the media types and headers that the OpenAPI document describes', async () => {
  const { paths, servers } = openApiDocument('1.0.0')
  expect(servers).toHaveLength(1)
  const { path } = await create()
  const { headers } = await read(path)
  const described = paths[path.replace(/[\w-]{43}/, '{token}')] as {
    servers: object[]
    get: { responses: Record<number, { content?: object; headers: object }>; 'x-relt-extension': boolean }
  }
  expect(described).toMatchObject({ servers: [{ url: '/' }], get: { 'x-relt-extension': true } })
  const { 200: success, 304: unchanged } = described.get.responses
  expect(Object.keys(success!.content!)).toEqual([headers.get('content-type')!.split(';')[0]])
  for (const name of Object.keys(success!.headers)) expect([name, headers.has(name)]).toEqual([name, true])
  const again = await read(path, { 'if-none-match': headers.get('etag')! })
  for (const name of Object.keys(unchanged!.headers)) expect([name, again.headers.has(name)]).toEqual([name, true])
})

test('a revoked, foreign or guessed address is 404, and so is one whose user left the team', async () => {
  const { path, item } = await create()
  const { headers } = site.eve
  expect((await site.call('/feeds', { headers })).body.items).toEqual([])
  expect((await site.call(`/feeds/${item.feed_id}`, { method: 'DELETE', headers })).status).toBe(404)
  for (const other of [path.replace('.atom', '.ics'), `/feeds/${'A'.repeat(43)}.atom`, '/feeds/x.atom']) {
    expect((await read(other)).status).toBe(404)
  }
  const teams = await site.db.selectFrom('team_member').selectAll().where('user_id', '=', site.ada.user.id).execute()
  await site.db.deleteFrom('team_member').where('user_id', '=', site.ada.user.id).execute()
  expect((await read(path)).status).toBe(404)
  await site.db.insertInto('team_member').values(teams).execute()
  expect((await read(path)).status).toBe(200)
  await site.call(`/feeds/${item.feed_id}`, { method: 'DELETE', headers: site.ada.headers })
  expect((await read(path)).status).toBe(404)
})

test('the secret of an address is neither stored nor logged', async () => {
  const { path } = await create()
  await read(path)
  const token = /feeds\/([\w-]+)\./.exec(path)![1]!
  for (const wrong of [`/${path}`, `/relt${path}`, path.replace('/feeds/', '/Feeds/'), path.replace('s/', 's%2F')]) {
    expect((await read(wrong)).status).toBe(404)
  }
  expect(site.log.text).toContain('/feeds/***')
  expect(site.log.text).not.toContain(token)
  expect(JSON.stringify(await site.db.selectFrom('feed').selectAll().execute())).not.toContain(token)
})

test('hostile texts do not break the XML', () => {
  const texts = hostileTexts.map((text) => text.slice(0, 5000))
  const entries = texts.map((text) => ({
    id: 'urn:x',
    title: text,
    at: '2026-01-01 00:00:00',
    url: 'https://x.example/',
    summary: text,
  }))
  const found = parse(renderAtom({ id: 'urn:x', title: 'x', url: 'https://x.example/', updated: '', entries })).feed
    .entry
  expect(found).toHaveLength(texts.length)
  for (const entry of found) expect(Object.keys(entry).sort()).toEqual(['id', 'link', 'summary', 'title', 'updated'])
})
