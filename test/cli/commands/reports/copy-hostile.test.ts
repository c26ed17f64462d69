import type { IncomingMessage, ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { json, openHostile } from '../../../client/hostile.ts'
import { runCli } from '../../../helpers/cli.ts'
import { makeHome } from '../../../helpers/copy-world.ts'

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
  '/cluster-configs/bootstrap-candidates': {
    success: true,
    candidates: [{ cluster_name: 'shop', environment: 'prod' }],
  },
  '/cluster-reports': toPage([]),
  '/cluster-reports/trends': { success: true, window_days: 365, clusters: [] },
}

type Answer = object | ((request: IncomingMessage, response: ServerResponse) => void)

/** Copies from a server with these answers. */
async function pull(answers: Record<string, Answer>) {
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
  const argv = ['reports', 'copy', '--server', server.url + base, '--to', 'local']
  return { ...(await runCli(argv, { home, env, columns: 120 })), server }
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
])('a report %s is not copied', async (_, body) => {
  const { code, stdout, stderr } = await pull({
    '/cluster-reports': toPage([listed]),
    [`/cluster-reports/${runId}`]: send(body),
  })
  expect(stdout).toContain('Failed: crun_hostile1 of shop')
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
    const { code, server } = await pull({ '/cluster-reports': toPage([{ ...listed, run_id }]) })
    expect(code).toBe(incomplete)
    const known = Object.keys(plainAnswers).map((path) => base + path)
    const paths = server.requests.map(({ url }) => new URL(url!, 'http://x').pathname)
    expect(paths.filter((path) => !known.includes(path))).toEqual([])
  },
)

test('a redirect is not followed to another origin', async () => {
  const other = await openHostile((_, response) => void response.end())
  const { code } = await pull({
    '/cluster-reports': (_, response) => void response.writeHead(307, { location: `${other.url}/x` }).end(),
  })
  expect(code).toBe(incomplete)
  expect(other.requests).toEqual([])
})

test.each([
  ['page for people', send('<html></html>', { 'content-type': 'text/html' })],
  ['empty answer', send('')],
  [
    'huge answer',
    (_: IncomingMessage, response: ServerResponse) =>
      void response.writeHead(200, { ...json, 'content-length': String(2 ** 40) }).end('{'),
  ],
])('a %s instead of a list is an error', async (_, answer) => {
  const { code, stderr } = await pull({ '/cluster-reports': answer })
  expect(code).not.toBe(0)
  expect(stderr).toContain('error:')
  expect(stderr).not.toContain('internal')
})
