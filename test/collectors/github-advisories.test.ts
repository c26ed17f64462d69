import { describe, expect, test } from 'vitest'
import type { CollectOutcome, Source } from '../../src/collectors/collector.ts'
import { createGithubAdvisoryCollector } from '../../src/collectors/github-advisories/index.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { advisoryBody } from './github-advisories.ts'
import { type FakeGithub, openGithub } from './github-server.ts'
import { openHttp } from './http.ts'
import { type Handler, openLocalServer, sendJson } from './local-server.ts'

const [first, second] = ['GHSA-23cf-45gh-67jm', 'GHSA-89pq-rvwx-2345'] as const
const source: Source = {
  kind: 'advisories',
  url: 'https://github.com/o/r',
  slug: 'r',
  tagPattern: null,
  chartNames: [],
}

function collect(github: Pick<FakeGithub, 'url'>, state: SourceState = {}, more: Partial<Source> = {}, token = '') {
  const http = openHttp({ patienceMs: 2000, retryPausesMs: [] })
  const collector = createGithubAdvisoryCollector({ webUrl: github.url, apiUrl: github.url, token: token || undefined })
  return collector.collect({ ...source, ...more }, state, { http, now: () => 0 })
}

function changed(outcome: CollectOutcome) {
  if (outcome.kind !== 'changed') throw new Error(`It is ${JSON.stringify(outcome)}`)
  return outcome
}

describe('advisories of a repository', () => {
  test('are read with the versions that they name as fixed, and the next time nothing has changed', async () => {
    const advisories = [
      { ghsa: first, cve: 'CVE-2026-1111', severity: 'high', patched: ['2.10.3, 2.9.8', '>= 2.10.3', null] },
      { ghsa: second, vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N', patched: ['v3.0.0'] },
      { ghsa: 'GHSA-2222-3333-4444', severity: 'low', patched: ['None'] },
    ]
    const github = await openGithub({ 'o/r': { advisories } })
    const { token } = github
    const { releases, advisories: found, state } = changed(await collect(github, {}, {}, token))
    expect(releases).toEqual([])
    expect(found).toEqual([
      {
        id: first,
        aliases: ['CVE-2026-1111'],
        severity: 'high',
        summary: `About ${first}`,
        url: `https://github.com/o/r/security/advisories/${first}`,
        fixedIn: ['2.10.3', '2.9.8'],
      },
      expect.objectContaining({ id: second, aliases: [], severity: 'critical', fixedIn: ['v3.0.0'] }),
    ])
    expect(await collect(github, state, {}, token)).toEqual({ kind: 'unchanged', state })
    expect(github.asked.map(({ status }) => status)).toEqual([200, 304])
    const { cursor } = state
    expect(await collect(github, { cursor: cursor! }, {}, token)).toEqual({ kind: 'unchanged', state })
    expect(github.asked[0]!.path).toBe('/repos/o/r/security-advisories?state=published&sort=updated&per_page=100')
  })

  test('that have something else for a CVE id have none', async () => {
    const github = await openGithub({
      'o/r': { advisories: [{ ghsa: first, cve: 'CVE-pending', patched: ['1.0.0'] }] },
    })
    expect(changed(await collect(github, {}, {}, github.token)).advisories).toMatchObject([{ id: first, aliases: [] }])
  })

  test('are read page by page, by the cursor of the link and never by its address', async () => {
    const toGhsa = (i: number) => `GHSA-2222-2222-222${i + 2}`
    const advisories = Array.from({ length: 7 }, (_, i) => ({ ghsa: toGhsa(i), patched: [`1.${i}.0`] }))
    const github = await openGithub({ 'o/r': { advisories } })
    github.advisoriesPerPage = 3
    const { advisories: found } = changed(await collect(github, {}, {}, github.token))
    expect(found!.map(({ id }) => id)).toEqual(advisories.map(({ ghsa }) => ghsa))
    expect(github.asked.map(({ path }) => new URL(path, 'http://x').pathname)).toEqual(
      Array(3).fill('/repos/o/r/security-advisories'),
    )
  })

  test('that link to the next page for ever come to an end', async () => {
    const server = await openLocalServer((_, response) =>
      sendJson(response, [], { link: `<${server.url}/?after=x>; rel="next"` }),
    )
    expect(changed(await collect(server, {}, {}, 'x')).advisories).toEqual([])
    expect(server.asked).toHaveLength(10)
  })

  test('that were withdrawn do not count', async () => {
    const github = await openGithub({ 'o/r': { advisories: [{ ghsa: first, patched: ['1.0.0'], withdrawn: true }] } })
    expect(changed(await collect(github, {}, {}, github.token)).advisories).toEqual([])
  })

  test('are asked for with the token of the project, and with none not at all', async () => {
    const github = await openGithub({ 'o/r': {} })
    expect(await collect(github)).toMatchObject({ kind: 'absent' })
    expect(github.asked).toEqual([])
    expect((await collect(github, {}, { credential: { secret: github.token } })).kind).toBe('changed')
  })

  test('are absent with their repository, and where the address is none', async () => {
    const github = await openGithub()
    expect((await collect(github, {}, {}, github.token)).kind).toBe('absent')
    expect((await collect(github, {}, { url: 'https://github.com/o' }, github.token)).kind).toBe('absent')
  })

  test('leave what is left of a limit to releases', async () => {
    const server = await openLocalServer((_, response) =>
      sendJson(response, [], {
        'x-ratelimit-limit': '5000',
        'x-ratelimit-remaining': '200',
        'x-ratelimit-reset': '9000000000',
      }),
    )
    const http = openHttp()
    const collector = createGithubAdvisoryCollector({ webUrl: server.url, apiUrl: server.url, token: 'x' })
    const ask = () => collector.collect(source, {}, { http, now: () => 0 })
    expect((await ask()).kind).toBe('changed')
    expect(await ask()).toEqual({ kind: 'limited', retryAt: 9_000_000_000 })
    expect(server.asked).toHaveLength(1)
  })

  test('do not show the token to a host that they are sent on to', async () => {
    const other = await openLocalServer((_, response) => sendJson(response, []))
    const server = await openLocalServer((_, response) => {
      response.writeHead(302, { location: `${other.url}/elsewhere` }).end()
    })
    expect((await collect(server, {}, {}, 'ghp_hunter2')).kind).toBe('changed')
    expect(server.asked[0]!.headers.authorization).toBe('Bearer ghp_hunter2')
    expect(JSON.stringify(other.asked)).not.toContain('hunter2')
  })
})

const body = advisoryBody({ ghsa: first })
const answers: [string, CollectOutcome['kind'], Handler][] = [
  ['5xx', 'unreachable', (_, response) => void response.writeHead(502).end()],
  ['a refusal', 'unreachable', (_, response) => void response.writeHead(403).end()],
  ['a limit', 'limited', (_, response) => void response.writeHead(403, { 'retry-after': '3600' }).end()],
  ['not modified, unasked', 'unreachable', (_, response) => void response.writeHead(304).end()],
  [
    'a sign-in page',
    'unreachable',
    (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(),
  ],
  ['another shape', 'unreachable', (_, response) => sendJson(response, { message: 'no' })],
  ['an id that is none', 'unreachable', (_, response) => sendJson(response, [{ ...body, ghsa_id: '../x' }])],
  ['too many', 'unreachable', (_, response) => sendJson(response, Array(101).fill(body))],
  [
    'half an answer',
    'unreachable',
    (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '999' }).write('[')
      response.destroy()
    },
  ],
  ['silence', 'unreachable', () => {}],
]

test.each(answers)('%s is %s', async (_, kind, handler) => {
  const outcome = await collect(await openLocalServer(handler), {}, {}, 'ghp_hunter2')
  expect(outcome.kind).toBe(kind)
  expect(JSON.stringify(outcome)).not.toContain('hunter2')
})
