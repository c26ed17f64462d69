import { expect, test } from 'vitest'
import { bundledStateFacts } from '../../../src/catalog/state-facts.ts'
import type { CachedLookup } from '../../../src/collectors/oci/lookup-cache.ts'
import { findNewerTags } from '../../../src/collectors/oci/newer-tags.ts'
import { Registries } from '../../../src/collectors/oci/registry.ts'
import { StateFacts } from '../../../src/freshness/facts/state-facts.ts'
import { openHttp } from '../http.ts'
import { type FakeImage, type FakeRegistry, openRegistry, toDigest } from './registry-server.ts'

const image = (build: string): FakeImage => ({ config: { build } })

const bundledFacts = new StateFacts(bundledStateFacts())

function look(
  registry: FakeRegistry,
  { at = 1_000_000, cache = new Map<string, CachedLookup>(), facts = bundledFacts } = {},
) {
  const http = openHttp({ patienceMs: 2000, retryPausesMs: [] })
  const registries = new Registries({ findCredential: async () => undefined }, http)
  return (tag: string) => findNewerTags(`${registry.host}/o/app${tag}`, { registries, cache, now: () => at, facts })
}

const tagsFor = (...tags: string[]) => ({ 'o/app': Object.fromEntries(tags.map((tag) => [tag, image(tag)])) })
const nginx = tagsFor(
  '1.25.5',
  '1.26.0',
  '1.26.2',
  '1.27.3',
  '1.28.0-rc.1',
  '2.0.0',
  '1.26.2-alpine',
  '1.27.3-alpine',
  'latest',
  'main',
)

test.each<[tag: string, expected: object]>([
  [':1.26.0', { status: 'major_behind', latest: '2.0.0', newer: ['2.0.0', '1.27.3', '1.26.2'] }],
  [':2.0.0', { status: 'up_to_date', latest: '2.0.0', newer: [] }],
  [':1.26.2-alpine', { status: 'minor_behind', latest: '1.27.3-alpine', newer: ['1.27.3-alpine'] }],
  [':1.28.0-rc.1', { status: 'major_behind', latest: '2.0.0' }],
])('of %s it finds the newer tags of its family', async (tag, expected) => {
  const registry = await openRegistry(nginx)
  expect(await look(registry)(tag)).toMatchObject({
    kind: 'found',
    current: tag.slice(1),
    isResolved: false,
    ...expected,
  })
})

test('a tag that states no version, and a digest, are the version that is the same image', async () => {
  const registry = await openRegistry({
    'o/app': {
      '1.0.0': image('1'),
      '1.1.0': image('2'),
      '1.2.0': image('3'),
      '1.1.0-alpine': image('4'),
      '1.2.0-alpine': image('5'),
      alpine: image('4'),
      latest: image('2'),
      old: image('0'),
    },
  })
  const found = look(registry)
  const resolved = { kind: 'found', isResolved: true }
  expect(await found(':latest')).toMatchObject({ ...resolved, current: '1.1.0', newer: ['1.2.0'], confidence: 0.6 })
  expect(await found('')).toMatchObject({ ...resolved, current: '1.1.0' })
  expect(await found(':alpine')).toMatchObject({ ...resolved, current: '1.1.0-alpine', newer: ['1.2.0-alpine'] })
  const [latest] = registry.asked.filter(({ path }) => path.endsWith('/manifests/latest'))
  expect(latest).toBeDefined()
  const digest = await fetch(`${registry.url}/v2/o/app/manifests/1.0.0`).then(async (answer) =>
    toDigest(await answer.text()),
  )
  expect(await found(`@${digest}`)).toMatchObject({
    ...resolved,
    current: '1.0.0',
    status: 'minor_behind',
    confidence: 1,
  })
  expect(await found(`:latest@${digest}`)).toMatchObject({ ...resolved, current: '1.0.0' })
  expect(await found(':old')).toEqual({
    kind: 'unknown',
    reason: 'none of its newest versions is the image that old is now',
  })
  expect(await found(':gone')).toEqual({ kind: 'unknown', reason: 'the registry has no tag gone' })
  expect(await found(`@sha256:${'0'.repeat(64)}`)).toMatchObject({
    kind: 'unknown',
    reason: expect.stringContaining('this digest'),
  })
})

test('an image is looked for in the newest two dozen versions, and no further', async () => {
  const registry = await openRegistry(tagsFor(...Array.from({ length: 100 }, (_, i) => `1.${i}.0`), 'latest'))
  expect((await look(registry)(':latest')).kind).toBe('unknown')
  const methods = registry.asked.flatMap(({ path, method }) => (path.includes('/manifests/') ? [method] : []))
  expect(methods).toEqual(Array.from({ length: 1 + 24 }, () => 'HEAD'))
})

test('caches an answer for six hours', async () => {
  const registry = await openRegistry(nginx)
  const cache = new Map<string, CachedLookup>()
  const asked = async (at: number) => {
    await look(registry, { at, cache })(':1.26.0')
    return registry.asked.length
  }
  expect([await asked(1_000_000), await asked(1_000_000 + 21_599), await asked(1_000_000 + 21_600)]).toEqual([1, 1, 2])
})

test('who asks at the same time shares an answer', async () => {
  const registry = await openRegistry(nginx)
  const found = look(registry)
  await Promise.all([':1.26.0', ':1.27.3', ':2.0.0'].map(found))
  expect(registry.asked).toHaveLength(1)
})

test('does not cache a failure', async () => {
  const registry = await openRegistry(nginx)
  const found = look(registry)
  registry.fault = (_, response) => !!response.writeHead(500).end()
  expect((await found(':1.26.0')).kind).toBe('unreachable')
  registry.fault = () => false
  expect((await found(':1.26.0')).kind).toBe('found')
})

test.each<[what: string, status: number, headers: Record<string, string>, expected: object]>([
  ['is not there', 404, {}, { kind: 'unknown', reason: expect.stringContaining('404') }],
  ['is refused', 403, {}, { kind: 'unreachable', reason: expect.stringContaining('refused access') }],
  ['is broken', 500, {}, { kind: 'unreachable', reason: expect.stringContaining('500') }],
  [
    'is asked for too often',
    429,
    { 'retry-after': '600' },
    { kind: 'unreachable', reason: 'the registry asks to wait' },
  ],
])('an image that %s is told apart', async (_, status, headers, expected) => {
  const registry = await openRegistry(nginx)
  registry.fault = (_, response) => !!response.writeHead(status, headers).end()
  expect(await look(registry)(':1.26.0')).toMatchObject(expected)
})

test('a text that is no reference is not asked for', async () => {
  const registry = await openRegistry(nginx)
  expect(await look(registry)(':a b')).toEqual({ kind: 'unknown', reason: 'this is not an image reference' })
  expect(registry.asked).toEqual([])
})

test('a head goes where the registry sends it, and where it tells no digest, the manifest is asked for', async () => {
  const other = await openRegistry({ 'o/app': { '1.0.0': image('1'), latest: image('1') } })
  const registry = await openRegistry(other.repositories)
  registry.fault = ({ path }, response) =>
    path.includes('/manifests/') && !!response.writeHead(307, { location: `${other.url}${path}` }).end()
  const told = { kind: 'found', current: '1.0.0' }
  expect(await look(registry)(':latest')).toMatchObject(told)
  other.fault = ({ method }, response) =>
    method === 'HEAD' &&
    !!response.writeHead(200, { 'content-type': 'application/vnd.oci.image.manifest.v1+json' }).end()
  expect(await look(registry)(':latest')).toMatchObject(told)
})

test('names the newest of the running line, and no tag that attackers planted', async () => {
  const registry = await openRegistry(nginx)
  const found = await look(registry)(':1.26.0')
  expect(found).toMatchObject({ steps: { line: { version: '1.26.2' }, newest: { version: '2.0.0' } } })
  const planted = new StateFacts({
    projects: [],
    repositories: [],
    rules: [],
    faults: [
      {
        image_repository: `${registry.host}/o/app`,
        versions: ['2.0.0', '1.26.2'],
        kind: 'malicious' as const,
        reason: 'Planted.',
        source: 'a test',
      },
    ],
  })
  const safe = await look(registry, { facts: planted })(':1.26.0')
  expect(safe).toMatchObject({
    latest: '1.27.3',
    newer: ['1.27.3'],
    steps: { line: null, newest: { version: '1.27.3' } },
  })
})
