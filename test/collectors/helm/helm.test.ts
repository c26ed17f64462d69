import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { FoundRelease } from '../../../src/catalog/found-release.ts'
import type { CollectOutcome, Source } from '../../../src/collectors/collector.ts'
import { createHelmCollector } from '../../../src/collectors/helm/index.ts'
import type { HttpSettings } from '../../../src/collectors/http.ts'
import type { SourceState } from '../../../src/collectors/source-state.ts'
import { gzipBomb } from '../../helpers/gzip-bomb.ts'
import { openHttp } from '../http.ts'
import { openLocalServer } from '../local-server.ts'
import { type HelmRepository, openHelmRepository } from './helm-server.ts'

const now = Date.UTC(2026, 10, 20) / 1000

function collect(
  { url }: { url: string },
  source: Partial<Source> = {},
  state: SourceState = {},
  options: { since?: number; http?: Partial<HttpSettings>; now?: number } = {},
): Promise<CollectOutcome> {
  const whole: Source = {
    kind: 'helm',
    url: `${url}/charts/`,
    slug: 'app',
    tagPattern: null,
    chartNames: ['app'],
    ...source,
  }
  const context = { http: openHttp(options.http), now: () => options.now ?? now, since: options.since }
  return createHelmCollector().collect(whole, state, context)
}

function changed(outcome: CollectOutcome): { releases: FoundRelease[]; state: SourceState } {
  if (outcome.kind !== 'changed') throw new Error(`It is ${JSON.stringify(outcome)}`)
  return outcome
}

const versions = (outcome: CollectOutcome) =>
  changed(outcome).releases.map(({ chartName, version }) => `${chartName} ${version}`)

const entry = (version: string, more: object = {}) => ({
  name: 'app',
  version,
  created: '2026-11-01T00:00:00.5Z',
  urls: [`app-${version}.tgz`],
  ...more,
})
const indexOf = (entries: Record<string, unknown>) => stringify({ apiVersion: 'v1', entries, generated: '2026-11-01' })
const small = indexOf({ app: [entry('1.0.0')] })

test('a version comes with all that its entry tells', async () => {
  const changes = stringify([
    {
      kind: 'security',
      description: 'Fixes CVE-2026-12345 in <x>',
      links: [{ name: 'A&B', url: 'https://example.com/a?b&c' }],
    },
    { kind: 'added', description: 'More', links: [{ name: 'x', url: 'javascript:alert(1)' }] },
  ])
  const repository = await openHelmRepository(
    indexOf({ app: [entry('1.2.3', { appVersion: '1.10', annotations: { 'artifacthub.io/changes': changes } })] }),
  )
  expect(changed(await collect(repository)).releases).toEqual([
    {
      type: 'helm',
      chartName: 'app',
      version: '1.2.3',
      appVersion: '1.10',
      publishedAt: Date.UTC(2026, 10, 1) / 1000,
      url: `${repository.url}/charts/app-1.2.3.tgz`,
      notes:
        '<ul><li><strong>security</strong> Fixes CVE-2026-12345 in &lt;x&gt; <a href="https://example.com/a?b&amp;c">A&amp;B</a></li><li><strong>added</strong> More x</li></ul>',
      security: { hasFix: true, ids: ['CVE-2026-12345'] },
    },
  ])
})

const annotated = (annotations: object, more: object = {}) => entry('1.0.0', { annotations, ...more })
test.each<[what: string, entry: object, expected: Partial<FoundRelease>]>([
  [
    'security updates',
    annotated({ 'artifacthub.io/containsSecurityUpdates': 'true' }),
    { security: { hasFix: true, ids: [] } },
  ],
  [
    'a change of kind security',
    annotated({ 'artifacthub.io/changes': '- kind: security\n  description: x\n' }),
    { security: { hasFix: true, ids: [] } },
  ],
  [
    'an id in a change',
    annotated({ 'artifacthub.io/changes': '- ghsa-23cf-45gh-67jm\n' }),
    { security: { hasFix: true, ids: ['GHSA-23cf-45gh-67jm'] } },
  ],
  ['no security', annotated({ 'artifacthub.io/containsSecurityUpdates': 'false' }), { security: null, notes: '' }],
  ['a pre-release by annotation', annotated({ 'artifacthub.io/prerelease': 'true' }), { type: 'pre' }],
  ['a pre-release by version', entry('2.0.0-rc.1'), { type: 'pre', version: '2.0.0-rc.1' }],
  [
    'links',
    annotated({ 'artifacthub.io/links': '- name: Notes\n  url: https://example.com/x\n' }),
    { notes: '<ul><li><a href="https://example.com/x">Notes</a></li></ul>' },
  ],
  ['changes that are no list', annotated({ 'artifacthub.io/changes': 'fixed: it' }), { notes: '', security: null }],
  ['changes that are no YAML', annotated({ 'artifacthub.io/changes': '- "x' }), { notes: '', security: null }],
  [
    'changes that explode',
    annotated({ 'artifacthub.io/changes': `- &a [x]\n${Array.from({ length: 200 }, () => '- *a').join('\n')}` }),
    { notes: '' },
  ],
  ['deprecation', entry('1.0.0', { deprecated: true }), { notes: '<p>This chart is deprecated.</p>' }],
  [
    'an address elsewhere',
    entry('1.0.0', { urls: ['https://example.com/x.tgz'] }),
    { url: 'https://example.com/x.tgz' },
  ],
  ['an address that is none', entry('1.0.0', { urls: ['ftp://example.com/x.tgz'] }), { url: '' }],
  ['an app version that is a number', entry('1.0.0', { appVersion: 3 }), { appVersion: '3' }],
  ['no app version', entry('1.0.0', { appVersion: '' }), { appVersion: null }],
  ['no time', entry('1.0.0', { created: undefined }), { publishedAt: now, isRough: true }],
  ['a time that is none', entry('1.0.0', { created: 'yesterday' }), { publishedAt: now, isRough: true }],
  [
    'fields of wrong types',
    entry('1.0.0', { urls: { a: 1 }, appVersion: [1], annotations: ['x'], deprecated: {} }),
    { url: '', appVersion: null, notes: '' },
  ],
])('an entry tells of %s, as YAML and as JSON', async (_, one, expected) => {
  const repository = await openHelmRepository(indexOf({ app: [one] }))
  expect(changed(await collect(repository)).releases).toMatchObject([expected])
  repository.index = JSON.stringify({ entries: { app: [one] } })
  repository.type = 'application/json'
  expect(changed(await collect(repository)).releases).toMatchObject([expected])
})

test('only the charts of the project are taken, and entries that can be read', async () => {
  const repository = await openHelmRepository(
    indexOf({
      other: [entry('9.0.0')],
      app: [entry('1.0.0'), 'x', { name: 'app' }, entry('')],
      lib: [entry('2.0.0')],
      bad: 'x',
    }),
  )
  expect(versions(await collect(repository, { chartNames: ['app', 'lib', 'bad', 'gone'] }))).toEqual([
    'app 1.0.0',
    'lib 2.0.0',
  ])
  expect(versions(await collect(repository, { chartNames: [] }))).toEqual(['app 1.0.0'])
})

test('nothing new is a 304, and an index made anew with the same charts is unchanged', async () => {
  const repository = await openHelmRepository(
    indexOf({ app: [entry('1.0.0'), entry('0.9.0', { created: undefined })] }),
  )
  const first = changed(await collect(repository))
  expect(await collect(repository, {}, first.state)).toEqual({ kind: 'unchanged', state: first.state })
  repository.index = repository.index.replace('generated: 2026-11-01', 'generated: 2026-11-02')
  const second = await collect(repository, {}, first.state, { now: now + 1000 })
  expect(second).toEqual({
    kind: 'unchanged',
    state: { ...first.state, etag: expect.not.stringMatching(first.state.etag!) },
  })
  repository.index = repository.index.replace('app-1.0.0.tgz', 'app-1.0.0-1.tgz')
  expect((await collect(repository, {}, second.kind === 'unchanged' ? second.state : {})).kind).toBe('changed')
  expect(repository.asked.map(({ status }) => status)).toEqual([200, 304, 200, 200])
})

test('a state of other charts, and a look at older releases, ask for the whole index', async () => {
  const repository = await openHelmRepository(indexOf({ app: [entry('1.0.0')], lib: [entry('2.0.0')] }))
  const { state } = changed(await collect(repository))
  expect(versions(await collect(repository, { chartNames: ['app', 'lib'] }, state))).toHaveLength(2)
  expect(versions(await collect(repository, {}, state, { since: 0 }))).toHaveLength(1)
})

test('the newest two hundred are taken, or those since a day', async () => {
  const day = (i: number) => new Date(Date.UTC(2026, 0, 1) + i * 86_400_000).toISOString()
  const many = Array.from({ length: 300 }, (_, i) => entry(`1.${i}.0`, { created: day(i) }))
  const repository = await openHelmRepository(indexOf({ app: many }))
  const newest = versions(await collect(repository))
  expect([newest.length, newest[0], newest.at(-1)]).toEqual([200, 'app 1.299.0', 'app 1.100.0'])
  const since = Date.parse(day(50)) / 1000
  expect(versions(await collect(repository, {}, {}, { since }))).toHaveLength(250)
})

const reply =
  (status: number, type: string, body = '') =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': type }).end(body)
    return true
  }

test.each<[what: string, fault: (response: ServerResponse) => boolean, expected: object]>([
  ['is not there', reply(404, 'text/plain'), { kind: 'absent' }],
  ['is gone', reply(410, 'text/plain'), { kind: 'absent' }],
  [
    'is not for everybody',
    reply(403, 'text/plain'),
    { kind: 'unreachable', reason: expect.stringContaining('refused access') },
  ],
  ['is broken', reply(500, 'text/plain'), { kind: 'unreachable', reason: expect.stringContaining('500') }],
  [
    'is a page',
    reply(200, 'text/html', '<html>'),
    { kind: 'unreachable', reason: expect.stringContaining('text/html') },
  ],
  [
    'is a page that calls itself text',
    reply(200, 'text/plain', '<html>\n</html>'),
    { kind: 'unreachable', reason: expect.stringContaining('form') },
  ],
  [
    'has none of the charts',
    reply(200, 'text/yaml', 'entries: {}\n'),
    { kind: 'absent', reason: 'the repository has no chart app' },
  ],
  ['is JSON that is cut off', reply(200, 'application/json', '{"entries":{"app":['), { kind: 'unreachable' }],
  [
    'is asked for too often',
    (response) => !!response.writeHead(429, { 'retry-after': '600' }).end(),
    { kind: 'limited', retryAt: expect.any(Number) },
  ],
  [
    'is cut off',
    (response) => {
      response.writeHead(200, { 'content-type': 'text/yaml', 'content-length': '100' }).write('entries:\n')
      setTimeout(() => response.destroy(), 20)
      return true
    },
    { kind: 'unreachable' },
  ],
  ['does not come', () => true, { kind: 'unreachable', reason: expect.stringContaining('in time') }],
  [
    'is of one GB',
    (response) =>
      !!response.writeHead(200, { 'content-type': 'text/yaml', 'content-length': String(1e9) }).write('entries:\n'),
    { kind: 'unreachable', reason: expect.stringContaining('larger than 64 MiB') },
  ],
])('an index that %s is an outcome', async (of, fault, expected) => {
  const repository = await openHelmRepository(small)
  repository.fault = (_, response) => fault(response)
  const http = { retryPausesMs: [], ...(of === 'does not come' && { patienceMs: 300 }) }
  expect(await collect(repository, {}, {}, { http })).toMatchObject(expected)
})

test('an index that packs a GB into little is refused while it is unpacked', async () => {
  const packed = gzipBomb(1_000_000_000)
  const repository = await openHelmRepository(small)
  repository.fault = (_, response) =>
    !!response.writeHead(200, { 'content-type': 'text/yaml', 'content-encoding': 'gzip' }).end(packed)
  expect(await collect(repository)).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('larger') })
})

test('an index that several projects share is asked for once in a sync, by each credential', async () => {
  const repository = await openHelmRepository(indexOf({ app: [entry('1.0.0')], other: [entry('2.0.0')] }))
  const collector = createHelmCollector()
  const context = { http: openHttp(), now: () => now }
  const look = (slug: string, state: SourceState = {}, given: Partial<Source> = {}) => {
    const source: Source = { kind: 'helm', url: `${repository.url}/charts`, slug, tagPattern: null, chartNames: [] }
    return collector.collect({ ...source, ...given }, state, context)
  }
  const [app, other] = await Promise.all([look('app'), look('other')])
  expect([versions(app), versions(other)]).toEqual([['app 1.0.0'], ['other 2.0.0']])
  expect(repository.asked).toHaveLength(1)
  await look('app', {}, { credential: { secret: 'hunter2' } })
  expect(repository.asked).toHaveLength(2)
  const second = await Promise.all([look('app', changed(app).state), look('other', changed(other).state)])
  expect(second.map(({ kind }) => kind)).toEqual(['unchanged', 'unchanged'])
  expect(repository.asked).toHaveLength(3)
})

test('a failure of the moment is tried again', async () => {
  const repository = await openHelmRepository(small)
  let failures = 2
  repository.fault = (_, response) => failures-- > 0 && reply(502, 'text/html')(response)
  expect(versions(await collect(repository))).toEqual(['app 1.0.0'])
})

test.each(['file:///etc', 'oci://example.com/charts', 'nonsense'])('%s is no Helm repository', async (url) => {
  expect(await collect({ url: '' }, { url })).toEqual({
    kind: 'absent',
    reason: 'the address is none of a Helm repository',
  })
})

test('a secret goes to the repository, and to no host it sends on to', async () => {
  const other: HelmRepository = await openHelmRepository(small)
  const first = await openHelmRepository(small)
  first.authorization = `Basic ${Buffer.from('ada:hunter2').toString('base64')}`
  const credential = { username: 'ada', secret: 'hunter2' }
  expect(versions(await collect(first, { credential }))).toHaveLength(1)
  first.fault = (_, response) => !!response.writeHead(302, { location: `${other.url}/charts/index.yaml` }).end()
  expect(changed(await collect(first, { credential })).releases[0]!.url).toBe(`${other.url}/charts/app-1.0.0.tgz`)
  expect(first.asked.map(({ headers }) => headers.authorization)).toEqual([first.authorization, first.authorization])
  expect(other.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
})

test('a secret without a name is a token', async () => {
  const server = await openLocalServer((_, response) => void response.writeHead(401).end())
  const outcome = await collect(server, { credential: { secret: 'hunter2' } })
  expect(server.asked[0]!.headers.authorization).toBe('Bearer hunter2')
  expect(outcome.kind).toBe('unreachable')
  expect(JSON.stringify(outcome)).not.toContain('hunter2')
})
