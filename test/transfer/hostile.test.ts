import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { json, openHostile } from '../client/hostile.ts'
import { runCli } from '../helpers/cli.ts'
import { makeHome } from './world.ts'

const base = '/api/relt/v1'
const runId = 'crun_hostile1'
const listed = { run_id: runId, cluster_name: 'shop', environment: 'prod', finished_at: '2026-08-20 06:00:00' }
const toPage = (items: unknown[], total_pages = 1) => ({
  page: 1,
  per_page: 100,
  total: items.length,
  total_pages,
  items,
})

/** What a server without data answers. */
const plainAnswers: Record<string, unknown> = {
  '/api-keys/current': { success: true },
  '/dashboard': { success: true, subscription_count: 0, subscriptions: [], labels: [] },
  '/labels': { labels: [] },
  '/cluster-configs': { success: true, ...toPage([]) },
  '/cluster-configs/bootstrap-candidates': {
    success: true,
    candidates: [{ cluster_name: 'shop', environment: 'prod' }],
  },
  '/cluster-reports': toPage([]),
}

type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void)

/** Pulls from a server that answers so. */
async function pull(answers: Record<string, Answer>, ...argv: string[]) {
  const home = await makeHome()
  const server = await openHostile((request, response) => {
    const { pathname } = new URL(request.url!, 'http://x')
    const path = pathname.slice(base.length)
    const answer = answers[path] ?? plainAnswers[path]
    if (typeof answer === 'function') return answer(request, response)
    response.writeHead(answer ? 200 : 404, json)
    response.end(JSON.stringify(answer ?? { code: 'rest_no_route', message: 'No route.' }))
  })
  const env = { RELT_USERNAME: 'ada', RELT_PASSWORD: 'secret' }
  const done = await runCli(['sync', 'pull', '--with', server.url + base, ...argv], { home, env, columns: 120 })
  return { ...done, home, env, server }
}

const incomplete = 1

const send =
  (body: string, headers: Record<string, string> = json) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, headers).end(body)

test.each([
  ['that is not JSON', '{"run_id":"crun_hostile1","report":{"checks":[1 2]}}'],
  ['with a lone quote', '{"run_id":"crun_hostile1","report":{"checks":["]}}'],
  ['of another run', '{"run_id":"crun_other","report":{"checks":[]}}'],
  ['of no run', '{"run_id":"../../api-keys/current","report":{"checks":[]}}'],
  ['that is nested deep', `{"run_id":"crun_hostile1","report":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
  ['with prototypes', '{"run_id":"crun_hostile1","report":{"__proto__":{"checks":[]}}}'],
])('a report %s is left out', async (_, body) => {
  const { code, stdout, stderr } = await pull({
    '/cluster-reports': toPage([listed]),
    [`/cluster-reports/${runId}`]: send(body),
  })
  expect(stdout).toContain('Left out:')
  expect({ code, internal: stderr.includes('internal') }).toEqual({ code: incomplete, internal: false })
})

test.each([
  ['null', [null]],
  ['text', ['shop']],
  ['lists', [[[]]]],
  ['other fields', [{ cluster_name: { toString: 1 }, environment: 7 }]],
  ['control characters', [{ cluster_name: '\u001b]0;owned\u0007', environment: '\u202eprod' }]],
])('a list of clusters with %s does nothing', async (_, candidates) => {
  const { code, stdout, stderr } = await pull({
    '/cluster-configs/bootstrap-candidates': { success: true, candidates },
  })
  expect([0, incomplete]).toContain(code)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get to a terminal
  expect(stdout + stderr).not.toMatch(/\u001b\]|\u0007|\u202e/)
})

test('names, ids and errors of a server do nothing to a terminal', async () => {
  const evil = '\u001b]0;owned\u0007\u202e\r\n'
  const { stdout, stderr } = await pull({
    '/dashboard': {
      success: true,
      subscription_count: 1,
      labels: [{ id: 1, label_name: evil, label_color: evil }],
      subscriptions: [{ id: 1, product_id: 1, name: evil, repo_url: evil }],
    },
    '/cluster-configs': {
      success: true,
      ...toPage([{ config_id: 'ccfg_1', name: evil, provider: 'aks', settings: {} }]),
    },
    '/cluster-reports': toPage([{ ...listed, cluster_name: evil }]),
    [`/cluster-reports/${runId}`]: (_, response) =>
      void response
        .writeHead(404, json)
        .end(JSON.stringify({ code: evil, message: evil, data: { params: { [evil]: evil } } })),
  })
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not get to a terminal
  expect(stdout + stderr).not.toMatch(/\u001b\]|\u0007|\u202e|owned\r\n/)
  expect(stdout).toContain('owned')
})

test.each(['../../../../etc/passwd', '..', 'crun_1/../../labels', 'crun_1?x', '\u001b[2J'])(
  'a run with the id %j is asked for nowhere',
  async (run_id) => {
    const { code, server, stdout } = await pull({ '/cluster-reports': toPage([{ ...listed, run_id }]) })
    expect(code).toBe(incomplete)
    expect(stdout).toContain('all runs')
    const known = [...Object.keys(plainAnswers), '/cluster-reports/trends'].map((path) => base + path)
    const paths = server.requests.map(({ url }) => new URL(url!, 'http://x').pathname)
    expect(paths.filter((path) => !known.includes(path))).toEqual([])
  },
)

test('a redirect is not followed to another origin', async () => {
  const other = await openHostile((_, response) => void response.end())
  const { code } = await pull({
    '/cluster-reports': (_, response) => void response.writeHead(307, { location: `${other.url}/x` }).end(),
    '/dashboard': (_, response) => void response.writeHead(302, { location: `//${new URL(other.url).host}/x` }).end(),
    '/cluster-configs': (_, response) =>
      void response.writeHead(308, { location: `http://a:b@${new URL(other.url).host}/x` }).end(),
  })
  expect(code).toBe(incomplete)
  expect(other.requests).toEqual([])
})

test('a page for people, an empty answer and a huge one are left out', async () => {
  const huge = (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, { ...json, 'content-length': String(2 ** 40) }).end('{')
  const { code, stdout, stderr } = await pull({
    '/dashboard': send('<html></html>', { 'content-type': 'text/html' }),
    '/cluster-configs': send(''),
    '/cluster-reports': huge,
  })
  expect(code).not.toBe(0)
  expect(stdout).toMatch(/all subscriptions: .*\n.*all profiles: /)
  expect(stderr).not.toContain('internal')
})

test('a profile that reads variables of this machine needs permission before it is stored here', async () => {
  const prometheus = {
    enabled: true,
    url: 'https://evil.example',
    mode: 'bearer',
    bearerTokenEnv: 'AWS_SECRET_ACCESS_KEY',
  }
  const profile = {
    config_id: 'ccfg_1',
    name: 'prod',
    provider: 'kubernetes',
    cluster_name: 'shop',
    settings: { prometheus },
  }
  const answers = { '/cluster-configs': { success: true, ...toPage([profile]) } }
  const refused = await pull(answers)
  expect(refused.code).toBe(incomplete)
  expect(refused.stdout.replace(/\s+/g, ' ')).toContain(
    'profile prod: it needs access that is not allowed: AWS_SECRET_ACCESS_KEY, evil.example; if you trust the server, add --allow-env AWS_SECRET_ACCESS_KEY --allow-host evil.example',
  )
  const shown = await runCli(['profiles', 'list', '--json'], { home: refused.home })
  expect(JSON.parse(shown.stdout).items).toEqual([])
  const allowed = await pull(answers, '--allow-env', 'AWS_SECRET_ACCESS_KEY', '--allow-host', 'evil.example')
  expect(allowed.code, allowed.stdout).toBe(0)
})
