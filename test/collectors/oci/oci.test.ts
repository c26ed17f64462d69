import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { FoundRelease, Outcome, Source, SourceState } from '../../../src/collectors/collector.ts'
import type { HttpSettings } from '../../../src/collectors/http.ts'
import { createOciCollector, type OciSettings } from '../../../src/collectors/oci/index.ts'
import { openHttp } from '../http.ts'
import { openLocalServer } from '../local-server.ts'
import { basicOf, type FakeImage, type FakeRegistry, openRegistry } from './registry-server.ts'

const now = Date.UTC(2026, 10, 20) / 1000

interface Options {
  since?: number
  http?: Partial<HttpSettings>
  oci?: Partial<OciSettings>
}

function collect(
  { host }: { host: string },
  source: Partial<Source> = {},
  state: SourceState = {},
  { since, http, oci }: Options = {},
): Promise<Outcome> {
  const whole: Source = {
    kind: 'oci',
    url: `oci://${host}/charts`,
    slug: 'app',
    tagPattern: null,
    chartNames: ['app'],
    ...source,
  }
  const collector = createOciCollector({ env: { DOCKER_CONFIG: '/nonexistent' }, ...oci })
  return collector.collect(whole, state, { http: openHttp(http), now: () => now, since })
}

function changed(outcome: Outcome): { releases: FoundRelease[]; state: SourceState } {
  if (outcome.kind !== 'changed') throw new Error(`It is ${JSON.stringify(outcome)}`)
  return outcome
}

function dockerFolder(auths: object): string {
  const folder = mkdtempSync(join(tmpdir(), 'relt-docker-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ auths }))
  return folder
}

const versions = (outcome: Outcome) => changed(outcome).releases.map(({ type, version }) => `${type} ${version}`)
const paths = ({ asked }: FakeRegistry) => asked.map(({ path, status }) => `${path} ${status}`)

const created = '2026-11-01T00:00:00Z'
const chart = (config: object = {}, more: Partial<FakeImage> = {}): FakeImage => ({
  created,
  isChart: true,
  config,
  ...more,
})

test('a version of a chart comes with what its manifest and its Chart.yaml tell', async () => {
  const registry = await openRegistry({
    'charts/app': {
      '1.2.3_build.4': chart(
        {
          version: '1.2.3+build.4',
          appVersion: '1.10',
          annotations: { 'artifacthub.io/changes': '- kind: security\n  description: CVE-2026-12345\n' },
        },
        { annotations: { 'org.opencontainers.image.source': 'https://example.com/app' } },
      ),
    },
  })
  expect(changed(await collect(registry)).releases).toEqual([
    {
      type: 'helm',
      chartName: 'app',
      version: '1.2.3+build.4',
      appVersion: '1.10',
      publishedAt: Date.parse(created) / 1000,
      url: 'https://example.com/app',
      notes: '<ul><li><strong>security</strong> CVE-2026-12345</li></ul>',
      security: { hasFix: true, ids: ['CVE-2026-12345'] },
    },
  ])
})

test('of the tags, those are taken that are versions of a chart', async () => {
  const registry = await openRegistry({
    'charts/app': {
      '1.9.0': chart(),
      '1.10.0': chart({ deprecated: true }),
      '2.0.0-rc.1': chart({ annotations: { 'artifacthub.io/prerelease': 'true' } }),
      '3.0.0': { created, config: {} },
      latest: chart(),
      [`sha256-${'a'.repeat(64)}.sig`]: chart(),
    },
  })
  const outcome = await collect(registry)
  expect(versions(outcome)).toEqual(['pre 2.0.0-rc.1', 'helm 1.10.0', 'helm 1.9.0'])
  expect(changed(outcome).releases[1]!.notes).toBe('<p>This chart is deprecated.</p>')
})

test('a project without charts has the tags of its image', async () => {
  const registry = await openRegistry({
    'o/app': Object.fromEntries(
      ['v1.2.3', 'v1.2', 'v1', '1.2.3-alpine', 'v1.3.0-rc.1', 'latest', 'main-1234abc', 'chart-1.0.0'].map((tag) => [
        tag,
        { created },
      ]),
    ),
  })
  const source = { url: `oci://${registry.host}/o/app`, chartNames: [] }
  expect(versions(await collect(registry, source))).toEqual(['pre v1.3.0-rc.1', 'app v1.2.3'])
  expect(versions(await collect(registry, { ...source, tagPattern: 'chart-(.*)' }))).toEqual(['app chart-1.0.0'])
})

test('times that annotations do not tell are those of configurations, or guesses', async () => {
  const registry = await openRegistry({
    'o/app': {
      '1.0.0': { config: { created } },
      '1.1.0': { config: { created }, isList: true },
      '1.2.0': { config: { created: '1970-01-01T00:00:00Z' } },
    },
  })
  const source = { url: `oci://${registry.host}/o/app`, chartNames: [] }
  const times = (outcome: Outcome) =>
    changed(outcome).releases.map(({ publishedAt, isRough }) => [publishedAt, isRough])
  const rough = [now, true]
  const told = [Date.parse(created) / 1000, undefined]
  expect(times(await collect(registry, source))).toEqual([rough, told, told])
})

test('tags come in pages, and those that were seen are not asked for again', async () => {
  const tags = Array.from({ length: 25 }, (_, i) => [`1.${i}.0`, chart()])
  const registry = await openRegistry({ 'charts/app': Object.fromEntries(tags) })
  registry.pageSize = 10
  const first = changed(await collect(registry))
  expect(first.releases).toHaveLength(25)
  expect(paths(registry).filter((path) => path.includes('tags'))).toEqual([
    '/v2/charts/app/tags/list?n=1000 200',
    '/v2/charts/app/tags/list?last=1.17.0&n=1000 200',
    '/v2/charts/app/tags/list?last=1.4.0&n=1000 200',
  ])
  registry.asked.length = 0
  expect(await collect(registry, {}, first.state)).toEqual({ kind: 'unchanged', state: first.state })
  expect(registry.asked).toHaveLength(3)
  registry.repositories['charts/app']!['1.3.1'] = chart()
  expect(versions(await collect(registry, {}, first.state))).toEqual(['helm 1.3.1'])
})

test('a list that comes at once and is the same is a 304', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  const { state } = changed(await collect(registry))
  registry.asked.length = 0
  expect(await collect(registry, {}, state)).toEqual({ kind: 'unchanged', state })
  expect(paths(registry)).toEqual(['/v2/charts/app/tags/list?n=1000 304'])
  expect(versions(await collect(registry, {}, state, { since: 0 }))).toEqual(['helm 1.0.0'])
})

test('a first look asks for the newest thirty', async () => {
  const tags = Array.from({ length: 50 }, (_, i) => [`1.${i}.0`, chart()])
  const registry = await openRegistry({ 'charts/app': Object.fromEntries(tags) })
  const first = await collect(registry)
  expect([versions(first).length, versions(first).at(-1)]).toEqual([30, 'helm 1.20.0'])
  expect((await collect(registry, {}, changed(first).state)).kind).toBe('unchanged')
  expect(versions(await collect(registry, {}, {}, { since: 0 }))).toHaveLength(50)
})

test('what could not be asked for is asked for at the next look', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart(), '1.1.0': chart() } })
  registry.fault = ({ path }, response) => path.endsWith('/1.1.0') && !!response.writeHead(500).end()
  const first = await collect(registry)
  expect(versions(first)).toEqual(['helm 1.0.0'])
  registry.fault = () => false
  expect(versions(await collect(registry, {}, changed(first).state))).toEqual(['helm 1.1.0'])
})

test('a chart that is not there stops no other', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  expect(versions(await collect(registry, { chartNames: ['gone', 'app'] }))).toEqual(['helm 1.0.0'])
  expect((await collect(registry, { chartNames: ['gone'] })).kind).toBe('absent')
})

const reply =
  (status: number, type: string, body = '') =>
  (response: ServerResponse) =>
    !!response.writeHead(status, { 'content-type': type }).end(body)

test.each<[what: string, fault: (response: ServerResponse) => boolean, expected: object]>([
  ['that is not there', reply(404, 'application/json', '{}'), { kind: 'absent' }],
  [
    'that is refused',
    reply(403, 'application/json', '{}'),
    { kind: 'unreachable', reason: expect.stringContaining('refused access') },
  ],
  [
    'that asks who it is in no way known',
    (response) => !!response.writeHead(401, { 'www-authenticate': 'Negotiate' }).end(),
    { kind: 'unreachable' },
  ],
  ['that is broken', reply(503, 'text/plain'), { kind: 'unreachable', reason: expect.stringContaining('503') }],
  [
    'that is a page',
    reply(200, 'text/html', '<html>'),
    { kind: 'unreachable', reason: expect.stringContaining('text/html') },
  ],
  [
    'that is no list',
    reply(200, 'application/json', '{"tags":{"a":1}}'),
    { kind: 'unreachable', reason: expect.stringContaining('no list of tags') },
  ],
  ['that is cut off', reply(200, 'application/json', '{"tags":["1.0'), { kind: 'unreachable' }],
  ['that does not come', () => true, { kind: 'unreachable', reason: expect.stringContaining('in time') }],
  [
    'that is asked for too often',
    (response) => !!response.writeHead(429, { 'retry-after': '600' }).end(),
    { kind: 'limited', retryAt: expect.any(Number) },
  ],
  [
    'that has no end',
    (response) =>
      !!response
        .writeHead(200, {
          'content-type': 'application/json',
          link: `</v2/charts/app/tags/list?last=${Math.random()}>; rel="next"`,
        })
        .end('{"tags":["1.0.0"]}'),
    { kind: 'unreachable', reason: expect.stringContaining('no end of tags') },
  ],
  [
    'that goes on at another host',
    (response) =>
      !!response
        .writeHead(200, { 'content-type': 'application/json', link: '<http://evil.example/x>; rel="next"' })
        .end('{"tags":["1.0.0"]}'),
    { kind: 'unreachable' },
  ],
  [
    'that is too large',
    (response) =>
      !!response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100000000' }).write('{'),
    { kind: 'unreachable', reason: expect.stringContaining('larger than') },
  ],
])('a list of tags %s is an outcome', async (_, fault, expected) => {
  const registry = await openRegistry()
  registry.fault = (_, response) => fault(response)
  expect(await collect(registry, {}, {}, { http: { patienceMs: 300, retryPausesMs: [] } })).toMatchObject(expected)
})

test('a blob that is another one is refused', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  registry.fault = ({ path }, response) =>
    path.includes('/blobs/') &&
    !!response.writeHead(200, { 'content-type': 'application/octet-stream' }).end('{"appVersion":"6"}')
  expect(await collect(registry)).toMatchObject({
    kind: 'unreachable',
    reason: expect.stringContaining('another blob'),
  })
})

test.each(['https://example.com', 'oci://', 'oci://example.com/a?b', 'oci://ex ample/x'])(
  '%s is no registry',
  async (url) => {
    expect(await collect({ host: '' }, { url })).toEqual({
      kind: 'absent',
      reason: 'the address is none of a registry',
    })
  },
)

test('a registry is asked where its mirror is', async () => {
  const registry = await openRegistry({ 'o/app': { '1.0.0': chart() } })
  const options = { oci: { mirrors: { 'docker.io': registry.url } } }
  expect(versions(await collect(registry, { url: 'oci://docker.io/o' }, {}, options))).toEqual(['helm 1.0.0'])
})

test('a mirror gets its own password, not the one of what it mirrors', async () => {
  const registry = await openRegistry({ 'o/app': { '1.0.0': chart() } })
  Object.assign(registry, { access: 'basic', password: 'hunter2' })
  const folder = dockerFolder({
    'docker.io': { auth: btoa('ada:hunter3') },
    [registry.host]: { auth: btoa('ada:hunter2') },
  })
  const oci = { mirrors: { 'docker.io': registry.url }, env: { DOCKER_CONFIG: folder } }
  const source = { url: 'oci://docker.io/o', credential: { username: 'ada', secret: 'hunter4' } }
  expect(versions(await collect(registry, source, {}, { oci }))).toEqual(['helm 1.0.0'])
  const told = new Set(registry.asked.map(({ headers }) => headers.authorization))
  expect(told).toEqual(new Set([undefined, basicOf('ada', 'hunter2')]))
})

test('anybody gets a token, once for all of a repository', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  registry.access = 'bearer'
  expect(versions(await collect(registry))).toEqual(['helm 1.0.0'])
  const tokens = registry.asked.filter(({ path }) => path.startsWith('/token'))
  expect(tokens.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/token?service=test&scope=repository%3Acharts%2Fapp%3Apull', undefined],
  ])
})

const credential = { username: 'ada', secret: 'hunter2' }

test.each(['bearer', 'basic'] as const)(
  'with %s access, a password opens what is not for everybody',
  async (access) => {
    const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
    Object.assign(registry, { access, password: 'hunter2' })
    expect(versions(await collect(registry, { credential }))).toEqual(['helm 1.0.0'])
    const refused = await collect(registry, { credential: { username: 'ada', secret: 'hunter3' } })
    expect(refused).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('refused access') })
    expect(JSON.stringify(refused)).not.toContain('hunter')
    expect((await collect(registry)).kind).toBe('unreachable')
  },
)

test('the next repository of a registry is asked for with a token at once', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() }, 'charts/other': { '1.0.0': chart() } })
  registry.access = 'bearer'
  const collector = createOciCollector({ env: {} })
  const context = { http: openHttp(), now: () => now }
  const source: Source = {
    kind: 'oci',
    url: `oci://${registry.host}/charts`,
    slug: 'x',
    tagPattern: null,
    chartNames: [],
  }
  for (const name of ['app', 'other', 'gone']) await collector.collect({ ...source, chartNames: [name] }, {}, context)
  const refused = registry.asked.filter(({ status }) => status === 401)
  expect(refused.map(({ path }) => path)).toEqual(['/v2/charts/app/tags/list?n=1000'])
  expect(registry.asked.filter(({ path }) => path.startsWith('/token')).map(({ path }) => path)).toEqual(
    ['app', 'other', 'gone'].map((name) => `/token?service=test&scope=repository%3Acharts%2F${name}%3Apull`),
  )
})

test('repositories that want a token at the same time get one together, and alone what is refused together', async () => {
  const charts = Array.from({ length: 25 }, (_, i) => `app-${i}`)
  const registry = await openRegistry(
    Object.fromEntries(charts.map((name) => [`charts/${name}`, { '1.0.0': chart() }])),
  )
  registry.access = 'bearer'
  const all = charts.map(() => 'helm 1.0.0')
  expect(versions(await collect(registry, { chartNames: charts }))).toEqual(all)
  const scopes = () =>
    registry.asked
      .filter(({ path }) => path.startsWith('/token'))
      .map(({ path }) => new URL(path, 'http://x').searchParams.getAll('scope').length)
  expect(scopes()).toEqual([1, 20, 4])
  registry.asked.length = 0
  registry.fault = ({ path }, response) =>
    new URL(path, 'http://x').searchParams.getAll('scope').length > 1 && !!response.writeHead(400).end()
  expect(versions(await collect(registry, { chartNames: charts.slice(0, 4) }))).toEqual(all.slice(0, 4))
  expect(scopes()).toEqual([1, 3, 1, 1, 1])
})

test("an identity token of Docker's configuration is exchanged, and in no address", async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  Object.assign(registry, { access: 'bearer', password: 'hunter2' })
  const folder = dockerFolder({ [registry.host]: { identitytoken: 'hunter2' } })
  expect(versions(await collect(registry, {}, {}, { oci: { env: { DOCKER_CONFIG: folder } } }))).toEqual(['helm 1.0.0'])
  expect(registry.asked.filter(({ path }) => path.startsWith('/token'))).toMatchObject([
    { method: 'POST', path: '/token' },
  ])
})

test('a token that is no longer good is replaced', async () => {
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  registry.access = 'bearer'
  let isExpired = true
  registry.fault = ({ path }, response) => {
    if (!path.includes('/manifests/') || !isExpired) return false
    isExpired = false
    const challenge = `Bearer realm="${registry.url}/token",service="test"`
    return !!response.writeHead(401, { 'www-authenticate': challenge }).end()
  }
  expect(versions(await collect(registry))).toEqual(['helm 1.0.0'])
})

test('a password does not go to a host of another domain that gives tokens', async () => {
  const tokens = await openLocalServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"token":"token-hunter2"}')
  })
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  registry.access = 'bearer'
  registry.realm = `${tokens.url.replace('127.0.0.1', 'localhost')}/token`
  expect(versions(await collect(registry, { credential }))).toEqual(['helm 1.0.0'])
  expect(tokens.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
})

test('no secret goes where a registry sends on to, nor to who asks for it there', async () => {
  const other = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  const evil = `http://localhost:${other.host.split(':')[1]}`
  Object.assign(other, { access: 'bearer', realm: `${evil}/token` })
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart() } })
  Object.assign(registry, { access: 'bearer', password: 'hunter2' })
  await collect(registry, { credential })
  registry.fault = ({ path }, response) =>
    path.startsWith('/v2/') && !!response.writeHead(307, { location: `${evil}${path}` }).end()
  await collect(registry, { credential })
  expect(other.asked.length).toBeGreaterThan(0)
  const secrets = other.asked.filter(({ headers }) => JSON.stringify(headers).includes(basicOf('ada', 'hunter2')))
  expect(secrets).toEqual([])
  const redirected = other.asked.filter(({ path }) => path.startsWith('/v2/'))
  expect(redirected.map(({ headers }) => headers.authorization)).toEqual(redirected.map(() => undefined))
})

test('a blob is fetched where the registry has it, without the token', async () => {
  const store = await openRegistry({ 'charts/app': { '1.0.0': chart({ appVersion: '7' }) } })
  const registry = await openRegistry({ 'charts/app': { '1.0.0': chart({ appVersion: '7' }) } })
  registry.access = 'bearer'
  registry.fault = ({ path, headers }, response) =>
    path.includes('/blobs/') &&
    !!headers.authorization &&
    !!response.writeHead(307, { location: `${store.url}${path}` }).end()
  expect(changed(await collect(registry)).releases[0]!.appVersion).toBe('7')
  expect(store.asked.map(({ headers }) => headers.authorization)).toEqual([undefined])
})
