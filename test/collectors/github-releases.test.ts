import type { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { FoundRelease } from '../../src/catalog/found-release.ts'
import type { CollectOutcome, Source } from '../../src/collectors/collector.ts'
import { createGithubCollector } from '../../src/collectors/github-releases/index.ts'
import type { HttpSettings } from '../../src/collectors/http.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { anyUrl } from '../helpers/any-character.ts'
import { type FakeGithub, openGithub } from './github-server.ts'
import { openHttp } from './http.ts'

const now = () => Math.floor(Date.now() / 1000)

/** One sync: what it asked is what the server got since. */
function sync(github: FakeGithub, options: { token?: string; since?: number; http?: Partial<HttpSettings> } = {}) {
  const collector = createGithubCollector({ webUrl: github.url, apiUrl: github.url, token: options.token })
  const http = openHttp(options.http)
  return (source: Partial<Source>, state: SourceState = {}): Promise<CollectOutcome> =>
    collector.collect(
      {
        kind: 'github',
        url: 'https://github.com/o/r',
        slug: 'r',
        tagPattern: null,
        chartNames: [],
        ...source,
      },
      state,
      { http, now, since: options.since },
    )
}

function changed(outcome: CollectOutcome): { releases: FoundRelease[]; state: SourceState } {
  if (outcome.kind !== 'changed') throw new Error(`It is ${JSON.stringify(outcome)}`)
  return outcome
}

const versions = (outcome: CollectOutcome) => changed(outcome).releases.map(({ type, version }) => `${type} ${version}`)
function reply(response: ServerResponse, status: number, type = 'text/plain', body = ''): true {
  response.writeHead(status, { 'content-type': type }).end(body)
  return true
}

const paths = ({ asked }: FakeGithub) => asked.map(({ method, path, status }) => `${method} ${path} ${status}`)

const three = [
  { tag: 'v2.0.0-rc.1', at: '2026-09-03T00:00:00Z', prerelease: true },
  { tag: 'v1.1.0', at: '2026-09-02T00:00:00Z', notes: '<p>Fixes CVE-2026-12345 &amp; ghsa-23cf-45gh-67jm</p>' },
  { tag: 'v1.0.0', at: '2026-09-01T00:00:00Z' },
]
const many = Array.from({ length: 70 }, (_, i) => ({
  tag: `v1.${70 - i}.0`,
  at: new Date(Date.UTC(2026, 8, 1) - i * 86_400_000).toISOString(),
}))
const token = 'ghp_hunter2'

test('with a token, releases come by REST, and nothing new is a 304', async () => {
  const github = await openGithub({
    'o/r': { releases: [{ tag: 'v9', at: '2026-09-04T00:00:00Z', draft: true }, ...three] },
  })
  const collect = sync(github, { token })
  const first = changed(await collect({}))
  expect(first.releases[1]).toEqual({
    type: 'app',
    chartName: '',
    version: 'v1.1.0',
    appVersion: null,
    publishedAt: Date.UTC(2026, 8, 2) / 1000,
    url: 'https://github.com/o/r/releases/tag/v1.1.0',
    notes: '<p>Fixes CVE-2026-12345 &amp; ghsa-23cf-45gh-67jm</p>',
    security: {
      hasFix: true,
      ids: ['CVE-2026-12345', 'GHSA-23cf-45gh-67jm'],
      severity: 'none',
      summary: 'Fixes CVE-2026-12345 & ghsa-23cf-45gh-67jm',
      links: ['https://nvd.nist.gov/vuln/detail/CVE-2026-12345', 'https://github.com/advisories/GHSA-23cf-45gh-67jm'],
    },
  })
  expect(first.releases.map(({ type, version }) => `${type} ${version}`)).toEqual([
    'pre v2.0.0-rc.1',
    'app v1.1.0',
    'app v1.0.0',
  ])
  expect(await collect({}, first.state)).toEqual({ kind: 'unchanged', state: first.state })
  expect(paths(github)).toEqual(['GET /repos/o/r/releases?per_page=30 200', 'GET /repos/o/r/releases?per_page=30 304'])
})

test('without a token, releases come by the feed, and nothing new is a 304', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  const collect = sync(github)
  const first = changed(await collect({}))
  expect(first.releases[1]).toMatchObject({
    type: 'app',
    version: 'v1.1.0',
    url: `${github.url}/o/r/releases/tag/v1.1.0`,
    notes: '<p>Fixes CVE-2026-12345 &amp; ghsa-23cf-45gh-67jm</p>',
    security: { ids: ['CVE-2026-12345', 'GHSA-23cf-45gh-67jm'] },
    isRough: true,
  })
  expect(await collect({}, first.state)).toEqual({ kind: 'unchanged', state: first.state })
  expect(paths(github)).toEqual(['GET /o/r/releases.atom 200', 'GET /o/r/releases.atom 304'])
})

test('a state of the feed is none of REST', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  const { state } = changed(await sync(github)({}))
  expect((await sync(github, { token })({}, state)).kind).toBe('changed')
  expect(github.asked[1]!.headers['if-none-match']).toBeUndefined()
})

test('a first look takes one page, a later one reads on until it meets what is known', async () => {
  const github = await openGithub({ 'o/r': { releases: many.slice(65) } })
  const first = changed(await sync(github, { token })({}))
  github.repositories['o/r']!.releases = many
  expect(versions(await sync(github, { token })({}, first.state))).toHaveLength(70)
  expect(github.asked).toHaveLength(1 + 3)
  expect(versions(await sync(github, { token })({}))).toHaveLength(30)
})

test('since a day it reads back to it, whatever is known', async () => {
  const github = await openGithub({ 'o/r': { releases: many } })
  const { state } = changed(await sync(github, { token })({}))
  const since = Date.parse(many[40]!.at) / 1000
  expect(versions(await sync(github, { token, since })({}, state))).toHaveLength(60)
})

test('a release that is edited or promoted is told again', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  const { state } = changed(await sync(github, { token })({}))
  github.repositories['o/r']!.releases = [{ ...three[0]!, tag: 'v2.0.0', prerelease: false, notes: 'Done' }, ...three]
  expect(versions(await sync(github, { token })({}, state))[0]).toBe('app v2.0.0')
})

test('tags stand in for releases where there are none, with their times by GraphQL', async () => {
  const tags = three.map(({ tag, at }) => ({ tag, at }))
  const github = await openGithub({ 'o/r': { tags } })
  const collect = sync(github, { token })
  const first = changed(await collect({}))
  expect(first.releases).toMatchObject([
    { type: 'pre', version: 'v2.0.0-rc.1', publishedAt: Date.UTC(2026, 8, 3) / 1000 },
    { type: 'app', version: 'v1.1.0', publishedAt: Date.UTC(2026, 8, 2) / 1000 },
    { type: 'app', version: 'v1.0.0', url: `${github.url}/o/r/releases/tag/v1.0.0` },
  ])
  expect(await collect({}, first.state)).toMatchObject({ kind: 'unchanged' })
  tags.unshift({ tag: 'v2.0.0', at: '2026-09-05T00:00:00Z' })
  expect(versions(await collect({}, first.state))[0]).toBe('app v2.0.0')
})

test('tags come by their feed where GraphQL is not to be had', async () => {
  const github = await openGithub({ 'o/r': { tags: three } })
  github.fault = ({ path }, response) => path === '/graphql' && reply(response, 404)
  expect(versions(await sync(github, { token })({}))).toHaveLength(3)
  expect(paths(github).at(-1)).toBe('GET /o/r/tags.atom 200')
})

test('a chart’s and other parts’ tags are no releases of the application', async () => {
  const at = '2026-09-01T00:00:00Z'
  const tags = ['cluster-autoscaler-chart-9.46.0', 'vertical-pod-autoscaler-1.7.1', 'cluster-autoscaler-1.35.2']
  const github = await openGithub({ 'o/r': { releases: tags.map((tag) => ({ tag, at })) } })
  const source = { tagPattern: 'cluster-autoscaler-(.*)' }
  expect(versions(await sync(github, { token })(source))).toEqual(['app cluster-autoscaler-1.35.2'])
  expect(versions(await sync(github)(source))).toEqual(['app cluster-autoscaler-1.35.2'])
})

test('what does not exist is absent, in every way of asking', async () => {
  const github = await openGithub()
  expect(await sync(github, { token })({})).toMatchObject({ kind: 'absent' })
  expect(await sync(github)({})).toMatchObject({ kind: 'absent' })
  expect(await sync(github)({ url: 'https://github.com/o' })).toMatchObject({ kind: 'absent' })
  expect(await sync(github)({ url: 'https://github.com/o/../x/y' })).toMatchObject({ kind: 'absent' })
})

test.each([
  ['a broken server', 500],
  ['a refused token', 401],
])('%s is unreachable', async (_, status) => {
  const github = await openGithub({ 'o/r': { releases: three } })
  github.fault = (_, response) => reply(response, status)
  expect(await sync(github, { token })({})).toMatchObject({ kind: 'unreachable' })
  expect(await sync(github)({})).toMatchObject({ kind: 'unreachable' })
})

test.each([
  '{}',
  '[{"tag_name":1}]',
  '[{"tag_name":"v1","html_url":"","draft":false,"prerelease":false,"created_at":"x","published_at":null}]',
  '[',
  'null',
])('a list of releases that says %s is unreachable', async (body) => {
  const github = await openGithub({ 'o/r': {} })
  github.fault = (_, response) => reply(response, 200, 'application/json', body)
  expect(await sync(github, { token })({})).toMatchObject({ kind: 'unreachable' })
})

test.each([
  '',
  '<html></html>',
  '<feed><entry><id>x</id></entry></feed>',
  '<feed><entry>',
  '<!DOCTYPE feed [<!ENTITY a "aaaa">]><feed><entry>&a;</entry></feed>',
])('a feed that says %s is unreachable', async (body) => {
  const github = await openGithub({ 'o/r': {} })
  github.fault = (_, response) => reply(response, 200, 'application/atom+xml', body)
  expect(await sync(github)({})).toMatchObject({ kind: 'unreachable' })
})

test('an empty feed is one without releases', async () => {
  const github = await openGithub({ 'o/r': {} })
  expect(versions(await sync(github)({}))).toEqual([])
})

test('near the limit of REST, GraphQL answers for many at once, and what is missing is absent alone', async () => {
  const names = Array.from({ length: 25 }, (_, i) => `o/r${i}`)
  const github = await openGithub(Object.fromEntries(names.map((name) => [name, { releases: many.slice(0, 3) }])))
  github.left.rest = 100
  delete github.repositories['o/r7']
  const collect = sync(github, { token })
  await collect({ url: 'https://github.com/o/r0', slug: 'r0' })
  const outcomes = await Promise.all(
    names.map((name, i) => collect({ url: `https://github.com/${name}`, slug: `r${i}` })),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(names.map((_, i) => (i === 7 ? 'absent' : 'changed')))
  expect(paths(github)).toEqual(['GET /repos/o/r0/releases?per_page=30 200', 'POST /graphql 200', 'POST /graphql 200'])
})

test('GraphQL reads on to a day, page by page, and finds tags where there are no releases', async () => {
  const github = await openGithub({ 'o/r': { releases: many }, 'o/t': { tags: many } })
  github.left.rest = 0
  const since = Date.parse(many[40]!.at) / 1000
  const collect = sync(github, { token, since })
  expect(versions(await collect({}))).toHaveLength(60)
  expect(versions(await collect({ url: 'https://github.com/o/t', slug: 't' }))).toHaveLength(60)
})

test('an error of GraphQL spoils its own repository alone', async () => {
  const github = await openGithub({ 'o/a': {}, 'o/b': {}, 'o/c': {} })
  github.left.rest = 0
  github.fault = ({ path }, response) => {
    if (path !== '/graphql') return false
    const node = { tagName: 'v1.0.0', url: '', isDraft: false, isPrerelease: false, descriptionHTML: null }
    const times = { createdAt: three[0]!.at, publishedAt: null }
    const page = { releases: { nodes: [{ ...node, ...times }], pageInfo: { hasNextPage: false, endCursor: null } } }
    const errors = [{ message: 'Something went wrong', path: ['p0', 'releases'] }]
    const data = { p0: page, p1: page, p2: { releases: 1 } }
    return reply(response, 200, 'application/json', JSON.stringify({ data, errors }))
  }
  const collect = sync(github, { token })
  const outcomes = await Promise.all(
    ['a', 'b', 'c'].map((slug) => collect({ url: `https://github.com/o/${slug}`, slug })),
  )
  expect(outcomes.map(({ kind }) => kind)).toEqual(['unreachable', 'changed', 'unreachable'])
})

test('when both limits are reached the feed answers, and for what has none it is limited', async () => {
  const github = await openGithub({ 'o/r': { releases: three }, 'o/p': { releases: three, isPrivate: true } })
  github.left = { rest: 0, graphql: 0 }
  const collect = sync(github, { token })
  expect(versions(await collect({}))).toHaveLength(3)
  const limited = await collect({ url: 'https://github.com/o/p', slug: 'p' })
  expect(limited).toMatchObject({ kind: 'limited', retryAt: expect.any(Number) })
  expect(limited.kind === 'limited' && limited.retryAt).toBeGreaterThan(now() + 1000)
})

test('a private repository is seen with the token of its own', async () => {
  const github = await openGithub({ 'o/p': { releases: three, isPrivate: true } })
  const source = { url: 'https://github.com/o/p', slug: 'p' }
  expect(await sync(github)(source)).toMatchObject({ kind: 'absent' })
  expect(versions(await sync(github)({ ...source, credential: { secret: token } }))).toHaveLength(3)
})

test('GitHub Enterprise is asked at its own address, never with the token for github.com', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  const enterprise = await openGithub({ 'o/r': { releases: three } })
  expect(versions(await sync(github, { token })({ url: `${enterprise.url}/o/r` }))).toHaveLength(3)
  expect(github.asked).toEqual([])
  expect(JSON.stringify(enterprise.asked)).not.toContain(token)
  enterprise.fault = (asked) => {
    asked.path = asked.path.replace(/^\/api\/v3/, '')
    return false
  }
  const own = await sync(github)({ url: `${enterprise.url}/o/r`, credential: { secret: token } })
  expect(changed(own).releases[0]).not.toHaveProperty('isRough')
})

test('the token goes to the API alone, not where a feed or a redirect is', async () => {
  const elsewhere = await openGithub({ 'o/r': { releases: three } })
  const github = await openGithub({ 'o/r': { releases: three } })
  github.left = { rest: 0, graphql: 0 }
  github.fault = ({ path }, response) => {
    if (!path.endsWith('.atom')) return false
    response.writeHead(302, { location: `${elsewhere.url}${path}` }).end()
    return true
  }
  expect(versions(await sync(github, { token })({}))).toHaveLength(3)
  expect(elsewhere.asked).toHaveLength(1)
  expect(JSON.stringify(elsewhere.asked)).not.toContain(token)
})

test('long notes of a feed come whole, and their markup is theirs', async () => {
  const notes = `<ul>${'<li>A &amp; B &#39;c&#39; &quot;d&quot; é</li>'.repeat(3000)}</ul>`
  const github = await openGithub({ 'o/r': { releases: Array.from({ length: 10 }, () => ({ ...three[2]!, notes })) } })
  expect(changed(await sync(github)({})).releases[0]!.notes).toBe(notes)
})

test('no body whatever makes more of a look than an outcome', async () => {
  const github = await openGithub({ 'o/r': {} })
  let answer = ''
  github.fault = ({ path }, response) =>
    reply(response, 200, path.endsWith('.atom') ? 'application/atom+xml' : 'application/json', answer)
  const word = fc.constantFrom('feed', 'entry', 'id', 'link', 'updated', '__proto__', 'constructor', '![CDATA[', 'x')
  const xml = fc
    .array(fc.tuple(fc.constantFrom('<', '</', '&', ''), word, fc.constantFrom('>', '/>', ']]>', ' a="b">', ';')))
    .map((parts) => parts.flat().join(''))
  const release = fc.record(
    {
      tag_name: fc.oneof(fc.string(), fc.jsonValue()),
      html_url: fc.oneof(anyUrl, fc.constant('javascript:alert(1)')),
      draft: fc.boolean(),
      prerelease: fc.boolean(),
      created_at: fc.oneof(fc.constant('2026-09-01T00:00:00Z'), fc.string()),
      published_at: fc.oneof(fc.constant('2026-09-01T00:00:00Z'), fc.constant(null), fc.integer()),
      body_html: fc.oneof(fc.string(), fc.jsonValue()),
    },
    { requiredKeys: [] },
  )
  const body = fc.oneof(
    fc.json(),
    xml,
    fc.array(release).map((list) => JSON.stringify(list)),
  )
  await fc.assert(
    fc.asyncProperty(body, fc.boolean(), async (text, hasToken) => {
      answer = text
      const outcome = await sync(github, hasToken ? { token } : {})({})
      expect(['changed', 'unreachable']).toContain(outcome.kind)
      if (outcome.kind === 'changed') for (const { url } of outcome.releases) expect(url).toMatch(/^(https?:\/\/|$)/)
    }),
    { numRuns: 200 },
  )
})
