import { XMLParser } from 'fast-xml-parser'
import { beforeAll, expect, test } from 'vitest'
import { openApiDocument } from '../../src/contract/openapi.ts'
import { renderAtom } from '../../src/html/feeds/atom.ts'
import { renderCalendar } from '../../src/html/feeds/calendar.ts'
import { hostileTexts } from '../html/hostile.ts'
import { scan } from '../reports/scan.ts'
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

const create = async (body: object, headers = site.ada.headers) => (await site.call('/feeds', { headers, body })).body
const read = (path: string, headers: Record<string, string> = {}) => site.call(path, { absolute: true, headers })
const parse = (text: string) => new XMLParser({ ignoreAttributes: false }).parse(text)

test('a feed of releases lists those of the subscriptions', async () => {
  const published_at = '2026-08-30 10:00:00'
  const release = { product_id: 1, version: 'v99.0.0', type: 'app', has_security_fix: true, security_severity: 'high' }
  await site.call('/add-release', { headers: site.ada.headers, body: { ...release, published_at } })
  const { path, url, item } = await create({ kind: 'releases' })
  expect(item).toMatchObject({ kind: 'releases', team: 'platform', cluster_name: null, last_used: null })
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
  const { path } = await create({ kind: 'releases' })
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
  const { path } = await create({ kind: 'releases' })
  const { now } = site.clock
  site.clock.now += 90 * 86_400
  expect(parse((await read(path)).body).feed.subtitle).toMatch(/^The catalog is \d+ days old, so newer releases/)
  site.clock.now = now
})

test('a feed without entries has the same tag while nothing changes', async () => {
  const { path, item } = await create({ kind: 'releases' }, site.eve.headers)
  const { headers } = await read(path)
  site.clock.now += 60
  expect((await read(path, { 'if-none-match': headers.get('etag')! })).status).toBe(304)
  await site.call(`/feeds/${item.feed_id}`, { method: 'DELETE', headers: site.eve.headers })
})

test('a feed of changes says what each run of a cluster changed', async () => {
  const { path } = await create({ kind: 'changes', cluster_name: 'shop-zq7', environment: 'prod' })
  const titles = [parse((await read(path)).body).feed.entry].flat().map(({ title }) => title)
  expect(titles).toEqual([
    'shop-zq7 (prod): 1 new, 0 regressed, 0 resolved',
    'shop-zq7 (prod): no earlier scan to compare with',
  ])
})

test('a calendar has the ends of support of what runs', async () => {
  const { path } = await create({ kind: 'support' })
  expect(path).toMatch(/\.ics$/)
  const { headers, body } = await read(path)
  expect(headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(body).toMatch(/^BEGIN:VCALENDAR\r\nVERSION:2\.0\r\n/)
  expect(body).toContain('SUMMARY:Upstream support of Kubernetes 1.33 ends\r\nDESCRIPTION:Runs in shop-zq7 (prod).\r\n')
  // The day may move: the event is the same.
  expect(body).toContain('\r\nUID:kubernetes-1.33@relt\r\n')
})

test('a calendar has the end of support of each offering, and how long it is extended', async () => {
  for (const [cluster, version, provider] of [
    ['eks-zq7', 'v1.34.1-eks-abc123', undefined],
    ['aks-zq7', 'v1.34.1', 'aks'],
    ['k3s-zq7', 'v1.34.1+k3s1', 'kubernetes'],
  ] as const) {
    const { metadata, ...report } = scan([{ resource: 'pod/a' }], { cluster, generatedAt: '2026-08-31T00:00:00Z' })
    const body = {
      ...{ environment: 'prod', cluster: { name: cluster, ...(provider && { provider }) } },
      report: { ...report, metadata: { ...metadata, kubernetesVersion: version } },
    }
    expect((await site.call('/cluster-reports', { headers: site.ada.headers, body })).status).toBeLessThan(300)
  }
  const { path } = await create({ kind: 'support' })
  const text = (await read(path)).body.replaceAll(/\r\n[ \t]/g, '')
  const eventOf = (uid: string) => new RegExp(`UID:${uid}@relt[^]*?END:VEVENT`).exec(text)?.[0]
  expect(eventOf('kubernetes-EKS-1\\.34')).toContain('SUMMARY:EKS standard support of Kubernetes 1.34 ends')
  expect(eventOf('kubernetes-EKS-1\\.34')).toMatch(/extended support lasts until 2027-12-02\. Runs in eks-zq7/)
  expect(eventOf('kubernetes-AKS-1\\.34')).toMatch(/DTSTART[^:]*:20261130/)
  expect(eventOf('kubernetes-1\\.34')).toContain('SUMMARY:Upstream support of Kubernetes 1.34 ends')
})

test('a calendar without an event has a component, which RFC 5545 demands', () => {
  const text = renderCalendar('x', [], '2026-01-01 00:00:00')
  expect(text.match(/^BEGIN:\w+/gm)).toEqual(['BEGIN:VCALENDAR', 'BEGIN:VTIMEZONE', 'BEGIN:STANDARD'])
  const [day] = [{ uid: 'a', date: '2026-01-01', title: 'a', description: 'a', url: 'https://x.example/' }]
  expect(renderCalendar('x', [day!], '2026-01-01 00:00:00')).not.toContain('VTIMEZONE')
})

test('feeds answer with the media types and headers that the OpenAPI document describes', async () => {
  const { paths, servers } = openApiDocument('1.0.0')
  expect(servers).toHaveLength(1)
  for (const kind of ['releases', 'support']) {
    const { path } = await create({ kind })
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
  }
})

test('a feed of changes of an unknown cluster is refused with the name of the cluster', async () => {
  const refusalFor = async (body: object, headers = site.ada.headers) =>
    (await create({ kind: 'changes', ...body }, headers)).message
  expect(await refusalFor({ cluster_name: 'nowhere' })).toBe('No cluster named "nowhere".')
  expect(await refusalFor({ cluster_name: 'nowhere', environment: 'dev' })).toBe(
    'No cluster named "nowhere" in the environment dev.',
  )
  expect(await refusalFor({}, site.eve.headers)).toBe('No cluster found.')
})

test('a revoked, foreign or guessed address is 404, and so is one whose user left the team', async () => {
  const { path, item } = await create({ kind: 'changes', cluster_name: 'shop-zq7' })
  const { headers } = site.eve
  expect((await site.call('/feeds', { headers })).body.items).toEqual([])
  expect((await site.call(`/feeds/${item.feed_id}`, { method: 'DELETE', headers })).status).toBe(404)
  expect((await site.call('/feeds', { headers, body: { kind: 'changes', cluster_name: 'shop-zq7' } })).status).toBe(404)
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
  const { path } = await create({ kind: 'releases' })
  await read(path)
  const token = /feeds\/([\w-]+)\./.exec(path)![1]!
  for (const wrong of [`/${path}`, `/relt${path}`, path.replace('/feeds/', '/Feeds/'), path.replace('s/', 's%2F')]) {
    expect((await read(wrong)).status).toBe(404)
  }
  expect(site.log.text).toContain('/feeds/***')
  expect(site.log.text).not.toContain(token)
  expect(JSON.stringify(await site.db.selectFrom('feed').selectAll().execute())).not.toContain(token)
})

test('hostile texts neither break the XML nor the lines of a calendar', () => {
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
  const days = texts.map((text, i) => ({
    uid: `${i}@relt`,
    date: '2026-01-01',
    title: text,
    description: text,
    url: 'https://x.example/',
  }))
  const lines = renderCalendar('x', days, '2026-01-01 00:00:00').split('\r\n')
  expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(texts.length)
  for (const line of lines) {
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in a line
    expect(line).not.toMatch(/[\u0000-\u001f]/)
  }
})
