import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import type { CollectOutcome } from '../../../src/collectors/collector.ts'
import { changed, chart, collect, created, now, paths, versions } from './collect.ts'
import { openRegistry } from './registry-server.ts'

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
  const times = (outcome: CollectOutcome) =>
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
])('a list of tags %s is an outcome', async (of, fault, expected) => {
  const registry = await openRegistry()
  registry.fault = (_, response) => fault(response)
  const http = { retryPausesMs: [], ...(of === 'that does not come' && { patienceMs: 300 }) }
  expect(await collect(registry, {}, {}, { http })).toMatchObject(expected)
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
