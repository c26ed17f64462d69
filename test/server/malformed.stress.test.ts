import { expect, test } from 'vitest'
import { malformedRequests } from './malformed.ts'
import { exchange, openServer } from './socket.ts'

const total = 2_500
const atOnce = 50

test(`${total} malformed requests later the server still answers`, async () => {
  const { port, url, log } = await openServer()
  const requests = [...malformedRequests(4711, total)]
  const statuses = new Map<string, number>()
  for (let at = 0; at < total; at += atOnce) {
    const answers = await Promise.all(requests.slice(at, at + atOnce).map((bytes) => exchange(port, bytes)))
    for (const answer of answers) {
      const [, status = answer === '' ? 'none' : `? ${answer.slice(0, 40)}`] = /^HTTP\/1\.1 (\d{3}) /.exec(answer) ?? []
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    expect((await fetch(`${url}/api/relt/v1/stats`)).status).toBe(200)
  }
  const unexpected = [...statuses.keys()].filter((status) => !/^([1234]\d\d|none)$/.test(status))
  expect(unexpected).toEqual([])
  expect(statuses.get('400')).toBeGreaterThan(total / 4)
  expect(log.entries.filter((entry) => entry.level === 'error')).toEqual([])
})

test('bodies that never come hold nobody up', async () => {
  const { port, url } = await openServer()
  const head =
    'POST /api/relt/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
  const waiting = Array.from({ length: 200 }, () => exchange(port, head, { end: false, patienceMs: 1500 }))
  for (let i = 0; i < 20; i++) expect((await fetch(`${url}/api/relt/v1/stats`)).status).toBe(200)
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(['']))
})

test('what comes byte by byte is understood', async () => {
  const { port } = await openServer()
  const answer = await exchange(port, 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', { pieces: 1 })
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400],
  ['a head that is too large', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ['a request without a host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['a request with two hosts', 'GET /healthz HTTP/1.1\r\nHost: a\r\nhost: b\r\nConnection: close\r\n\r\n', 400],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
])('%s is answered in the form of all errors', async (_, bytes, status) => {
  const { port } = await openServer()
  const answer = await exchange(port, bytes)
  const [head = '', body = ''] = answer.split('\r\n\r\n')
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(head).toMatch(/x-request-id: [0-9a-f-]{36}/i)
  expect(JSON.parse(body)).toMatchObject({ code: 'relt_usage', data: { status } })
})

test('HTTP/1.0 needs no host', async () => {
  const { port } = await openServer()
  expect(await exchange(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
})

test('a body that is too large is refused, and the next request answered', async () => {
  const { url, port, headers } = await openServer()
  const send = (size: number) =>
    fetch(`${url}/api/relt/v1/toggle-sub`, {
      method: 'POST',
      body: Buffer.alloc(size, ' '),
      headers: { ...headers, 'content-type': 'application/json' },
    })
  expect((await send(1024 * 1024 + 1)).status).toBe(413)
  const chunk = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`
  const head = `POST /api/relt/v1/toggle-sub HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nAuthorization: ${headers.authorization}\r\nTransfer-Encoding: chunked\r\n\r\n`
  expect(await exchange(port, head + chunk.repeat(20), { end: false })).toMatch(/^HTTP\/1\.1 413 /)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})
