import dns from 'node:dns'
import { createServer as createTcpServer } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createGuardedPost, type PostSettings } from '../../src/notify/post.ts'
import { listen, openReceiver } from './helpers/receiver.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

function openPost(settings: Partial<PostSettings> = {}) {
  const post = createGuardedPost({
    allow: { hosts: [], nets: [] },
    proxies: { http: undefined, https: undefined, none: undefined },
    ca: undefined,
    userAgent: 'relt/test',
    ...settings,
  })
  return (url: string, headers: Record<string, string> = {}) =>
    post({ url, headers, body: '{}', signal: AbortSignal.timeout(20_000) })
}

const local = { hosts: ['127.0.0.1'], nets: [] }

/** Notes the connections to a port of every address of this machine. */
async function listenEverywhere() {
  const reached: string[] = []
  const server = createTcpServer((socket) => {
    reached.push(socket.localAddress!)
    socket.destroy()
  })
  return { port: await listen(server, '::'), reached }
}

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

const forbidden = [
  ...['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.255.255.254', '127.0.1.1', '127.53.0.53', '0.0.0.0', '0.0.0.1'],
  ...['10.0.0.1', '10.255.255.255', '10.96.0.1', '10.43.0.10', '172.16.0.1', '172.17.0.1', '172.20.10.1'],
  ...['172.31.255.255', '192.168.0.1', '192.168.1.254', '192.168.49.2', '192.168.255.255', '169.254.169.254'],
  ...['169.254.170.2', '169.254.0.1', '169.254.169.253', '168.63.129.16', '100.64.0.1', '100.100.100.200'],
  ...['100.127.255.255', '192.0.0.192', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.1', '224.0.0.1'],
  ...['239.255.255.250', '240.0.0.1', '255.255.255.255', '192.0.0.8', '198.19.255.255', '233.252.0.1'],
]

/** The same address as programs and people write it. */
function spellings(address: string): string[] {
  const bytes = address.split('.').map(Number) as [number, number, number, number]
  const [a, b, c, d] = bytes
  const number = ((a * 256 + b) * 256 + c) * 256 + d
  const hex = number.toString(16).padStart(8, '0')
  const pair = `${hex.slice(0, 4)}:${hex.slice(4)}`
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex}`,
    bytes.map((byte) => `0${byte.toString(8)}`).join('.'),
    bytes.map((byte) => `0x${byte.toString(16).toUpperCase()}`).join('.'),
    `${a}.${b}.${c * 256 + d}`,
    [...address].map((digit) => (digit === '.' ? '.' : `%${digit.charCodeAt(0).toString(16)}`)).join(''),
    `[::ffff:${pair}]`,
    `[64:ff9b::${pair}]`,
  ]
}

describe('an address that is not public', () => {
  test('is not connected to in any spelling', async () => {
    expect(new Set(forbidden).size).toBe(40)
    const { port, reached } = await listenEverywhere()
    const post = openPost()
    for (const url of forbidden.flatMap(spellings)) {
      for (const scheme of ['https', 'http']) {
        expect([url, await post(`${scheme}://${url}:${port}/latest/meta-data`)]).toEqual([
          url,
          { status: null, reason: 'the address is not public', canRetry: false },
        ])
      }
    }
    for (const url of ['localhost', 'x.localhost', '[::1]', '[::]', '[fd00:ec2::254]', '[fe80::1]', 'a:b@127.0.0.1']) {
      expect(await post(`https://${url}:${port}/`)).toMatchObject({ status: null, canRetry: false })
    }
    expect(reached).toEqual([])
  })

  test('is not connected to as one of the resolved addresses', async () => {
    const { port, reached } = await listenEverywhere()
    const asked = resolveTo(['93.184.215.14', '127.0.0.1'], ['::ffff:127.0.0.1'], ['64:ff9b::7f00:1'], ['::1'])
    const post = openPost()
    for (let i = 0; i < 4; i++) {
      const result = await post(`https://hooks.example:${port}/`)
      expect(result).toEqual({ status: null, reason: 'the address is not public', canRetry: false })
    }
    expect(asked).toHaveLength(4)
    expect(reached).toEqual([])
  })

  test('does not get the connection when the name resolves to it after the check', async () => {
    const { port, reached } = await listenEverywhere()
    // Of the loopback addresses, one stands for a public address here.
    const post = openPost({ allow: { hosts: [], nets: ['127.0.0.1/32'] } })
    const asked = resolveTo(['127.0.0.1'], ['127.0.0.2'])
    await post(`https://rebind.example:${port}/`)
    expect([asked, reached]).toEqual([['rebind.example'], ['::ffff:127.0.0.1']])
    expect(await post(`https://rebind.example:${port}/`)).toMatchObject({ reason: 'the address is not public' })
    expect(reached).toHaveLength(1)
  })
})

test.each([301, 302, 303, 307, 308])('does not follow a redirect with status %i', async (status) => {
  const { port, reached } = await listenEverywhere()
  const targets = ['169.254.169.254/latest', `127.0.0.1:${port}/`, `[::1]:${port}/`, `localhost:${port}/`]
  for (const target of targets) {
    const receiver = await openReceiver((_, response) => {
      response.writeHead(status, { location: `http://${target}` }).end()
    })
    expect(await openPost({ allow: local })(receiver.url)).toMatchObject({ status })
  }
  expect(reached).toEqual([])
})

describe('plain http', () => {
  test('is for hosts that the operator allows, and for literal addresses of allowed networks', async () => {
    const receiver = await openReceiver((_, response) => response.end())
    const url = new URL(receiver.url)
    const inNet = { hosts: [], nets: ['127.0.0.0/8'] }
    for (const allow of [local, { hosts: [url.host], nets: [] }, inNet]) {
      expect(await openPost({ allow })(receiver.url)).toMatchObject({ status: 200 })
    }
    resolveTo(['127.0.0.1'])
    const named = `http://chat.example:${url.port}/`
    expect(await openPost({ allow: inNet })(named)).toMatchObject({ reason: 'the address is not public' })
    expect(await openPost({ allow: { hosts: ['127.0.0.1:1'], nets: [] } })(receiver.url)).toMatchObject({
      status: null,
    })
    expect(receiver.requests).toHaveLength(3)
  })
})

describe('an answer', () => {
  test('is read for 4 kB only, however long it is', async () => {
    let sent = 0
    const receiver = await openReceiver((_, response) => {
      response.writeHead(200)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) sent += 65_536
        if (!response.destroyed) response.once('drain', write)
      }
      write()
    })
    const result = await openPost({ allow: local })(receiver.url)
    expect(result).toMatchObject({ status: 200 })
    expect(result.status !== null && result.body.length).toBe(4096)
    expect(sent).toBeLessThan(50_000_000)
  })

  test('counts by its status when its body is broken or never ends', async () => {
    const broken = await openReceiver((_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': '10000' }).write('no gzip')
      setImmediate(() => response.destroy())
    })
    expect(await openPost({ allow: local })(broken.url)).toMatchObject({ status: 200 })
    const endless = await openReceiver((_, response) => void response.writeHead(202).write('a'))
    expect(await openPost({ allow: local, timeoutMs: 1500 })(endless.url)).toMatchObject({ status: 202 })
  })

  test('that does not come in time is a failure to retry, in words of ours', async () => {
    const silent = await openReceiver(() => undefined)
    expect(await openPost({ allow: local, timeoutMs: 200 })(silent.url)).toEqual({
      status: null,
      reason: 'no answer in time',
      canRetry: true,
    })
    const server = createTcpServer((socket) => socket.end('SSH-2.0-OpenSSH secret-banner\r\n'))
    const port = await listen(server, '127.0.0.1')
    expect(await openPost({ allow: local })(`http://127.0.0.1:${port}/`)).toEqual({
      status: null,
      reason: 'the answer is not HTTP',
      canRetry: true,
    })
  })

  test.each([
    ['120', 120],
    ['1.5', 2],
    ['soon', null],
    ['-5', null],
    [new Date(Date.now() + 3_600_000).toUTCString(), expect.toSatisfy((n) => n > 3000 && n <= 3600)],
  ])('asks to retry after %s', async (value, seconds) => {
    const receiver = await openReceiver((_, response) => response.writeHead(429, { 'retry-after': value }).end())
    expect(await openPost({ allow: local })(receiver.url)).toMatchObject({ status: 429, retryAfterSeconds: seconds })
  })
})

test('goes through the proxy, and refuses literal addresses before it', async () => {
  const proxy = await openReceiver((_, response) => response.end())
  const post = openPost({
    allow: { hosts: ['chat.example'], nets: [] },
    proxies: { http: proxy.url, https: proxy.url, none: '' },
  })
  expect(await post('https://169.254.169.254/')).toMatchObject({ status: null, canRetry: false })
  expect(proxy.requests).toEqual([])
  expect(await post('http://chat.example/hooks/1#format=mattermost')).toMatchObject({ status: 200 })
  expect(proxy.requests.map(({ url }) => url)).toEqual(['http://chat.example/hooks/1'])
})
