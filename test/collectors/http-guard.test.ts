import dns from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openHttp } from './http.ts'
import { openLocalServer, sendJson } from './local-server.ts'

const types = ['application/json']
const nothing = { allowedNets: [], trustedOrigins: [] }
/** Of the loopback addresses, the one on which local servers listen. */
const oneAddress = { allowedNets: ['127.0.0.1/32'], trustedOrigins: [] }

afterEach(() => {
  vi.restoreAllMocks()
})

/** A resolver that gives the next of the answers at each question. */
function resolveTo(...answers: string[][]) {
  const asked: string[] = []
  vi.spyOn(dns, 'lookup').mockImplementation(((name: string, _: unknown, then: (...args: unknown[]) => void) => {
    asked.push(name)
    const addresses = answers[Math.min(asked.length, answers.length) - 1]!
    then(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as never)
  return asked
}

/** On all addresses of this machine; notes each connection. */
async function openEverywhere() {
  const asked: string[] = []
  const server = createServer((_, response) => sendJson(response, 'reached'))
  server.on('connection', ({ localAddress }) => asked.push(localAddress!))
  await new Promise<void>((done) => server.listen(0, '::', done))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, asked }
}

describe('an address that is not public', () => {
  test.each([
    'http://127.0.0.1',
    'http://localhost',
    'http://2130706433',
    'http://0x7f.1',
    'http://0.0.0.0',
    'http://[::1]',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
  ])('%s is not connected to', async (origin) => {
    const { port, asked } = await openEverywhere()
    const answer = await openHttp({ access: nothing }).ask({ url: `${origin}:${port}/`, types })
    expect(answer).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('RELT_ALLOW_NETS') })
    expect(asked).toEqual([])
  })

  test('is not connected to when one of the resolved addresses is such', async () => {
    const { port, asked } = await openEverywhere()
    resolveTo(['203.0.113.7', '127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'])
    const http = openHttp({ access: nothing, retryPausesMs: [] })
    for (const name of ['a', 'b', 'c']) {
      const answer = await http.ask({ url: `http://${name}.catalog.example:${port}/`, types })
      expect(answer).toMatchObject({ kind: 'unreachable', reason: expect.stringContaining('.catalog.example') })
    }
    expect(asked).toEqual([])
  })

  test('is connected to when a network that has it is allowed, or the operator named it', async () => {
    const { url, asked } = await openLocalServer((_, response) => sendJson(response, 'there'))
    for (const access of [oneAddress, { allowedNets: [], trustedOrigins: [url] }]) {
      expect(await openHttp({ access }).ask({ url, types })).toMatchObject({ kind: 'ok' })
    }
    expect(asked).toHaveLength(2)
  })
})

test('the address that was checked gets the connection, whatever the name resolves to next', async () => {
  const { url, asked } = await openLocalServer((_, response) => sendJson(response, 'there'))
  const { port } = new URL(url)
  const questions = resolveTo(['127.0.0.1'], ['169.254.169.254'])
  const first = openHttp({ access: oneAddress })
  expect(await first.ask({ url: `http://rebind.example:${port}/`, types })).toMatchObject({ kind: 'ok' })
  expect(questions).toEqual(['rebind.example'])
  const next = openHttp({ access: oneAddress })
  expect(await next.ask({ url: `http://rebind.example:${port}/`, types })).toMatchObject({ kind: 'unreachable' })
  expect(asked).toHaveLength(1)
})

describe('a redirect', () => {
  test.each(['127.0.0.2', '[::1]', '[::ffff:127.0.0.2]', '2130706434', 'localhost.'])(
    'to %s is not followed',
    async (host) => {
      const { port, asked } = await openEverywhere()
      const { url } = await openLocalServer((_, response) => {
        response.writeHead(302, { location: `http://${host}:${port}/latest/meta-data` }).end()
      })
      // Of one that the operator named, too.
      for (const access of [oneAddress, { allowedNets: [], trustedOrigins: [url] }]) {
        expect(await openHttp({ access }).ask({ url, types })).toMatchObject({ kind: 'unreachable' })
      }
      expect(asked).toEqual([])
    },
  )
})

test.each([301, 302, 303, 307, 308])('a redirect with status %i leads to no other server', async (status) => {
  const { port, asked } = await openEverywhere()
  const targets = [
    `//127.0.0.2:${port}/`,
    `http:\\\\127.0.0.2:${port}/`,
    `http://127.0.0.2:${port}/`,
    `http://user:hunter2@127.0.0.1:${port}/`,
    `https://169.254.169.254:${port}/`,
    `http://rebind.example:${port}/`,
    `ftp://127.0.0.1:${port}/`,
    'file:///etc/passwd',
  ]
  resolveTo(['127.0.0.2'])
  for (const location of targets) {
    const { url } = await openLocalServer((_, response) => void response.writeHead(status, { location }).end())
    const answer = await openHttp({ access: oneAddress, retryPausesMs: [] }).ask({ url, types })
    expect([location, answer]).toMatchObject([location, { kind: 'unreachable' }])
    expect(JSON.stringify(answer)).not.toContain('hunter2')
  }
  // The operator named an origin, not its host.
  const { url } = await openLocalServer((_, response) => {
    response.writeHead(status, { location: `http://127.0.0.1:${port}/` }).end()
  })
  const named = openHttp({ access: { allowedNets: [], trustedOrigins: [url] }, retryPausesMs: [] })
  expect(await named.ask({ url, types })).toMatchObject({ kind: 'unreachable' })
  expect(asked).toEqual([])
})

test('a redirect to a name that was public before is checked at its connection', async () => {
  const { port, asked } = await openEverywhere()
  const { url } = await openLocalServer((_, response) => {
    response.writeHead(302, { location: `http://rebind.example:${port}/` }).end()
  })
  resolveTo(['127.0.0.1'], ['127.0.0.2'])
  const http = openHttp({ access: oneAddress, retryPausesMs: [] })
  expect(await http.ask({ url, types })).toMatchObject({ kind: 'ok' })
  const again = openHttp({ access: oneAddress, retryPausesMs: [] })
  expect(await again.ask({ url, types })).toMatchObject({ kind: 'unreachable' })
  expect(asked).toEqual(['::ffff:127.0.0.1'])
})

describe('with a proxy', () => {
  test('which may be anywhere, addresses that are not public are refused all the same', async () => {
    const proxy = await openLocalServer((_, response) => sendJson(response, 'proxied'))
    const http = openHttp({ access: nothing, env: { http_proxy: proxy.url } })
    for (const url of ['http://169.254.169.254/', 'http://localhost/', 'http://[::ffff:10.0.0.1]/']) {
      expect(await http.ask({ url, types })).toMatchObject({ kind: 'unreachable' })
    }
    expect(proxy.asked).toEqual([])
    expect(await http.ask({ url: 'http://catalog.example/', types })).toMatchObject({ kind: 'ok' })
    expect(proxy.asked).toHaveLength(1)
  })

  test('a host that is reached without it is checked when it is resolved', async () => {
    const proxy = await openLocalServer((_, response) => sendJson(response, 'proxied'))
    const { port, asked } = await openEverywhere()
    resolveTo(['127.0.0.1'])
    const env = { http_proxy: proxy.url, no_proxy: 'inside.example' }
    const answer = await openHttp({ access: nothing, env }).ask({ url: `http://inside.example:${port}/`, types })
    expect(answer).toMatchObject({ kind: 'unreachable' })
    expect([asked, proxy.asked]).toEqual([[], []])
  })
})

describe('a secret', () => {
  const secretHeaders = { authorization: 'Bearer hunter2' }

  test('is not sent over plain HTTP to another machine', async () => {
    const { url, asked } = await openLocalServer((_, response) => sendJson(response, 'there'))
    resolveTo(['127.0.0.1'])
    const named = `http://charts.example:${new URL(url).port}/`
    const http = openHttp({ access: oneAddress })
    expect(await http.ask({ url: named, types, secretHeaders })).toMatchObject({
      kind: 'unreachable',
      reason: expect.stringContaining('plain HTTP'),
    })
    expect(asked).toEqual([])
    expect(await http.ask({ url: named, types })).toMatchObject({ kind: 'ok' })
  })
})

test('credentials in an address are not used', async () => {
  const { url, asked } = await openLocalServer((_, response) => sendJson(response, 'there'))
  const withPassword = url.replace('http://', 'http://user:hunter2@')
  expect(await openHttp({ access: oneAddress }).ask({ url: withPassword, types })).toMatchObject({
    kind: 'unreachable',
    reason: expect.not.stringContaining('hunter2'),
  })
  expect(asked).toEqual([])
})
