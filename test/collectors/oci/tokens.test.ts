import { expect, test } from 'vitest'
import type { Source } from '../../../src/collectors/collector.ts'
import { createOciCollector } from '../../../src/collectors/oci/index.ts'
import { openHttp } from '../http.ts'
import { openLocalServer } from '../local-server.ts'
import { chart, collect, dockerFolder, now, versions } from './collect.ts'
import { openRegistry, toBasic } from './registry-server.ts'

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
  expect(told).toEqual(new Set([undefined, toBasic('ada', 'hunter2')]))
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
  const secrets = other.asked.filter(({ headers }) => JSON.stringify(headers).includes(toBasic('ada', 'hunter2')))
  expect(secrets).toEqual([])
  const redirected = other.asked.filter(({ path }) => path.startsWith('/v2/'))
  expect(redirected.map(({ headers }) => headers.authorization)).toEqual(redirected.map(() => undefined))
})
