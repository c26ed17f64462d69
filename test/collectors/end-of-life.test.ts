import { describe, expect, test } from 'vitest'
import type { Source } from '../../src/collectors/collector.ts'
import { createEndOfLifeCollector } from '../../src/collectors/end-of-life/index.ts'
import type { SourceState } from '../../src/collectors/source-state.ts'
import { openHttp } from './http.ts'
import { type Asked, type Handler, type LocalServer, openLocalServer, sendJson } from './local-server.ts'

const release = { name: '18', isEol: false, eolFrom: '2030-11-14', isLts: false, ltsFrom: null, label: '18' }
const page = (...releases: object[]) => ({
  schema_version: '1.2.1',
  generated_at: '2026-11-21T00:00:00Z',
  result: { name: 'postgresql', releases },
})
const older = [
  { cycle: '18', eol: '2030-11-14', lts: false },
  { cycle: 9, eol: true },
]

async function open(handler: Handler) {
  const server = await openLocalServer(handler)
  const context = { http: openHttp(), now: () => 0 }
  const collect = (state: SourceState = {}, more: Partial<Source> = {}) =>
    createEndOfLifeCollector().collect(sourceAt(server, more), state, context)
  return { server, collect }
}

function sourceAt({ url }: LocalServer, more: Partial<Source>): Source {
  return { kind: 'eol', url: `${url}/postgresql`, slug: 'postgresql', tagPattern: null, chartNames: [], ...more }
}

const found =
  (value: unknown): Handler =>
  (_, response) =>
    sendJson(response, value)
const status =
  (code: number, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{}')
  }
const pathsFor = ({ asked }: LocalServer) => asked.map(({ path, status }) => `${status} ${path}`)

describe('release cycles', () => {
  test('are read with their ends, but those with words for names and those of which nobody knows', async () => {
    const { collect, server } = await open(
      found(
        page(
          release,
          { ...release, name: '17', isEol: true, eolFrom: null, isLts: true, latest: { name: '17.9', date: null } },
          { ...release, name: '16.10', eolFrom: undefined, ltsFrom: '2026-01-01', isLts: true },
          { ...release, name: 'rolling' },
          { ...release, name: '15', isEol: null, eolFrom: null },
        ),
      ),
    )
    expect(await collect()).toEqual({
      kind: 'changed',
      releases: [],
      cycles: [
        { cycle: '18', eol: '2030-11-14', lts: false },
        { cycle: '17', eol: true, lts: true, latest: '17.9' },
        { cycle: '16.10', eol: false, lts: '2026-01-01' },
      ],
      state: { cursor: expect.stringMatching(/^[0-9a-f]{16}$/) },
    })
    expect(pathsFor(server)).toEqual(['200 /api/v1/products/postgresql'])
  })

  test('of a mirror below a path are read there', async () => {
    const { collect, server } = await open(found(page(release)))
    await collect({}, { url: `${server.url}/a/b/postgresql` })
    expect(pathsFor(server)).toEqual(['200 /a/b/api/v1/products/postgresql'])
  })

  test('are unchanged after a 304, and where the page was made anew alone', async () => {
    let at = 0
    const { collect, server } = await open((asked, response) => {
      if (asked.headers['if-none-match'] === '"same"') return void response.writeHead(304).end()
      sendJson(response, { ...page(release), generated_at: at++ }, { etag: at < 3 ? `"${at}"` : '"same"' })
    })
    const first = await collect()
    if (first.kind !== 'changed') throw new Error(first.kind)
    const second = await collect(first.state)
    expect(second).toEqual({ kind: 'unchanged', state: { ...first.state, etag: '"2"' } })
    expect(server.asked[1]!.headers['if-none-match']).toBe('"1"')
    const third = await collect({ ...first.state, etag: '"2"' })
    expect(third).toMatchObject({ kind: 'unchanged', state: { etag: '"same"' } })
    expect(await collect({ ...first.state, etag: '"same"' })).toMatchObject({ kind: 'unchanged' })
    expect(server.asked.map((asked) => asked.status)).toEqual([200, 200, 200, 304])
  })

  test('are asked for without the secret of the project', async () => {
    const { collect, server } = await open(found(page(release)))
    await collect({}, { credential: { secret: 'hunter2' } })
    expect(JSON.stringify(server.asked)).not.toContain('hunter2')
  })

  test('are read behind a redirect', async () => {
    const { collect } = await open((asked: Asked, response) => {
      if (asked.path.endsWith('/')) return sendJson(response, page(release))
      response.writeHead(301, { location: `${asked.path}/` }).end()
    })
    expect(await collect()).toMatchObject({ kind: 'changed' })
  })
})

describe('what is no answer', () => {
  const many = Array.from({ length: 1001 }, (_, i) => ({ ...release, name: String(i) }))
  const cut: Handler = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"result":')
    setTimeout(() => response.destroy(), 10)
  }
  const signIn: Handler = (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')
  }
  const endless: Handler = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(Buffer.alloc(3 * 1024 * 1024, ' '))
  }
  const cases: [string, Handler, object][] = [
    ['an unknown product', status(404), { kind: 'absent', reason: expect.stringMatching(/ answered 404$/) }],
    ['5xx', status(502), { kind: 'unreachable', reason: expect.stringMatching(/ answered 502$/) }],
    ['a refusal', status(403), { kind: 'unreachable', reason: expect.stringMatching(/ refused access \(403\)$/) }],
    ['a limit', status(429, { 'retry-after': '3600' }), { kind: 'limited', retryAt: expect.any(Number) }],
    ['304 to a question without conditions', status(304), { kind: 'unreachable' }],
    ['a redirect to nowhere', status(302), { kind: 'unreachable' }],
    ['an answer that is cut off', cut, { kind: 'unreachable' }],
    ['an answer that is too large', endless, { kind: 'unreachable', reason: expect.stringContaining('2 MiB') }],
    ['a sign-in page', signIn, { kind: 'unreachable', reason: expect.stringContaining('text/html') }],
    [
      'broken JSON',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      {
        kind: 'unreachable',
        reason: expect.stringContaining('something else than release cycles'),
      },
    ],
    ['another shape', found({ result: [] }), { kind: 'unreachable' }],
    ['no cycle at all', found(page()), { kind: 'unreachable' }],
    ['too many cycles', found(page(...many)), { kind: 'unreachable' }],
    ['a name that is too long', found(page({ ...release, name: '1'.repeat(101) })), { kind: 'unreachable' }],
    ['a name that is no text', found(page({ ...release, name: 18 })), { kind: 'unreachable' }],
    ['a day that does not exist', found(page({ ...release, eolFrom: '2026-02-30' })), { kind: 'unreachable' }],
    ['the shape of the older interface', found(older), { kind: 'unreachable' }],
  ]

  test.each(cases)('%s', async (_, handler, outcome) => {
    const { collect } = await open(handler)
    expect(await collect()).toMatchObject(outcome)
  })
})
