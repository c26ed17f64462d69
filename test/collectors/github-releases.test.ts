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
function sync(
  github: FakeGithub,
  options: { token?: string | undefined; since?: number; http?: Partial<HttpSettings> } = {},
) {
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

test('without a token, releases are the tags, and nothing new is unchanged', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  const collect = sync(github)
  const first = changed(await collect({}))
  expect(first.releases[1]).toMatchObject({
    type: 'app',
    version: 'v1.1.0',
    url: 'https://github.com/o/r/releases/tag/v1.1.0',
    notes: '',
    isRough: true,
  })
  expect(await collect({}, first.state)).toEqual({ kind: 'unchanged', state: first.state })
  expect(paths(github)).toEqual(Array(3).fill('POST /o/r.git/git-upload-pack 200'))
})

test('a state of tags is none of REST', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  const { state } = changed(await sync(github)({}))
  expect(changed(await sync(github, { token })({}, state)).releases[0]).not.toHaveProperty('isRough')
  expect(paths(github).at(-1)).toBe('GET /repos/o/r/releases?per_page=30 200')
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

test('tags stand in for releases where there are none', async () => {
  const tags = three.map(({ tag, at }) => ({ tag, at }))
  const github = await openGithub({ 'o/r': { tags } })
  const collect = sync(github, { token })
  const first = changed(await collect({}))
  expect(first.releases).toMatchObject([
    { type: 'pre', version: 'v2.0.0-rc.1', publishedAt: Date.UTC(2026, 8, 3) / 1000 },
    { type: 'app', version: 'v1.1.0', publishedAt: Date.UTC(2026, 8, 2) / 1000 },
    { type: 'app', version: 'v1.0.0', url: 'https://github.com/o/r/releases/tag/v1.0.0' },
  ])
  expect(await collect({}, first.state)).toMatchObject({ kind: 'unchanged' })
  tags.unshift({ tag: 'v2.0.0', at: '2026-09-05T00:00:00Z' })
  expect(versions(await collect({}, first.state))[0]).toBe('app v2.0.0')
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
  ['a broken server', 500, token],
  ['a broken server', 500, undefined],
  ['a refused token', 401, token],
])('%s is unreachable', async (_, status, token) => {
  const github = await openGithub({ 'o/r': { releases: three } })
  github.fault = (_, response) => reply(response, status)
  expect(await sync(github, { token })({})).toMatchObject({ kind: 'unreachable' })
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

test('near the limit of REST, tags are read, and what has none stays limited', async () => {
  const github = await openGithub({ 'o/r': { releases: three }, 'o/p': { releases: three, isPrivate: true } })
  github.left.rest = 100
  const collect = sync(github, { token })
  const first = changed(await collect({}))
  expect(changed(await collect({}, first.state)).releases).toMatchObject(Array(3).fill({ isRough: true }))
  const limited = await collect({ url: 'https://github.com/o/p', slug: 'p' })
  expect(limited).toMatchObject({ kind: 'limited', retryAt: expect.any(Number) })
  expect(limited.kind === 'limited' && limited.retryAt).toBeGreaterThan(now() + 1000)
  expect(paths(github).filter((path) => path.includes('/repos/'))).toEqual(['GET /repos/o/r/releases?per_page=30 200'])
})

test('when the limit of REST is reached, tags are read', async () => {
  const github = await openGithub({ 'o/r': { releases: three } })
  github.left.rest = 0
  expect(versions(await sync(github, { token })({}))).toHaveLength(3)
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

test('the token goes to the API alone, not to the git server or where a redirect is', async () => {
  const elsewhere = await openGithub({ 'o/r': { releases: three } })
  const github = await openGithub({ 'o/r': { releases: three } })
  github.left.rest = 0
  expect(versions(await sync(github, { token })({}))).toHaveLength(3)
  expect(JSON.stringify(github.asked.slice(1))).not.toContain('uthorization')
  github.left = {}
  github.fault = ({ path }, response) => {
    response.writeHead(302, { location: `${elsewhere.url}${path}` }).end()
    return true
  }
  await sync(github, { token })({})
  expect(elsewhere.asked).toHaveLength(1)
  expect(JSON.stringify(elsewhere.asked)).not.toContain(token)
})

test('no body whatever makes more of a look than an outcome', async () => {
  const github = await openGithub({ 'o/r': {} })
  let answer = ''
  github.fault = (_, response) => reply(response, 200, 'application/json', answer)
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
    fc.array(release).map((list) => JSON.stringify(list)),
  )
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      answer = text
      const outcome = await sync(github, { token })({})
      expect(['changed', 'unreachable']).toContain(outcome.kind)
      if (outcome.kind === 'changed') for (const { url } of outcome.releases) expect(url).toMatch(/^(https?:\/\/|$)/)
    }),
    { numRuns: 200 },
  )
})
