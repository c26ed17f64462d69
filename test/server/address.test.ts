import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { askedOrigin, callerAddress, callerIp, isSecure } from '../../src/server/http/address.ts'
import { readTrustedProxies } from '../../src/server/http/trusted-proxies.ts'
import { openServer } from './socket.ts'

const incoming = (remoteAddress: string, headers = {}, encrypted = false) =>
  ({ socket: { remoteAddress, encrypted }, headers }) as unknown as IncomingMessage

const oneHop = { hops: 1 }

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the caller %s counts as %s', (address, counted) => {
  expect(callerAddress(incoming(address))).toBe(counted)
})

test('what a caller says of itself counts only behind a proxy, and there the last hop', () => {
  const from = incoming('127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })
  expect(callerAddress(from)).toBe('127.0.0.1')
  expect(callerAddress(from, oneHop)).toBe('203.0.113.9')
  expect(callerAddress(incoming('127.0.0.1', { 'x-forwarded-for': 'nonsense' }), oneHop)).toBe('127.0.0.1')
  expect(callerAddress(incoming('127.0.0.1'), oneHop)).toBe('127.0.0.1')
  expect(callerAddress(undefined, oneHop)).toBe('unknown')
})

test('a caller is secure over TLS, or when the trusted proxy says so', () => {
  const said = incoming('127.0.0.1', { 'x-forwarded-proto': 'https' })
  expect([isSecure(said), isSecure(said, oneHop)]).toEqual([false, true])
  expect(isSecure(incoming('127.0.0.1', { 'x-forwarded-proto': 'https, http' }), oneHop)).toBe(false)
  expect(isSecure(incoming('127.0.0.1', {}, true))).toBe(true)
})

test.each([
  ['http://relt.example:8080/api', {}, 'http://relt.example:8080'],
  ['http://[::1]:8080/api', {}, 'http://[::1]:8080'],
  ['http://10.0.0.7/api', { 'x-forwarded-host': 'relt.example' }, 'http://relt.example'],
  ['http://10.0.0.7/api', { 'x-forwarded-host': 'evil.example, relt.example:8443' }, 'http://relt.example:8443'],
  ['http://10.0.0.7/api', { 'x-forwarded-proto': 'https' }, 'https://10.0.0.7'],
  ['http://10.0.0.7/api', { 'x-forwarded-host': 'ada@evil.example' }, undefined],
  ['http://10.0.0.7/api', { 'x-forwarded-host': 'evil.example/x?' }, undefined],
  ['http://10.0.0.7/api', { 'x-forwarded-host': "x'; id" }, undefined],
  ['/api', {}, undefined],
])('behind a proxy %s with %j was asked as %s', (url, headers, origin) => {
  expect(askedOrigin(url, incoming('127.0.0.1', headers), oneHop)).toBe(origin)
})

test('a host that a caller says was forwarded does not count without a proxy', () => {
  const said = incoming('127.0.0.1', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' })
  expect(askedOrigin('http://10.0.0.7/api', said)).toBe('http://10.0.0.7')
  expect(askedOrigin('http://10.0.0.7/api', incoming('127.0.0.1', {}, true))).toBe('https://10.0.0.7')
})

test.each([
  ['20.1.1.7:50123', '20.1.1.7'],
  ['[2001:db8::7]:443', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:20.1.1.7', '20.1.1.7'],
  ['20.1.1.7:x', '10.0.0.1'],
  ['unknown', '10.0.0.1'],
  ['', '10.0.0.1'],
])('a proxy that names its caller %j means %s', (named, caller) => {
  expect(callerIp(incoming('10.0.0.1', { 'x-forwarded-for': named }), oneHop)).toBe(caller)
})

test.each([
  ['2', '6.6.6.6, 198.51.100.1, 203.0.113.9', '198.51.100.1'],
  ['2', '203.0.113.9', '203.0.113.9'],
  ['3', '6.6.6.6, nonsense, 203.0.113.9', '203.0.113.9'],
  ['10.0.0.0/8', '6.6.6.6, 198.51.100.1, 10.2.3.4', '198.51.100.1'],
  ['10.0.0.0/8', '10.9.9.9, 10.2.3.4', '10.9.9.9'],
  ['10.0.0.0/8,203.0.113.9', '198.51.100.1:80, 203.0.113.9:443', '198.51.100.1'],
  ['192.0.2.0/24', '198.51.100.1', '10.0.0.1'],
  ['::ffff:0:0/96', '198.51.100.1', '10.0.0.1'],
])('with --trust-proxy %s, %s names %s', (option, forwardedFor, caller) => {
  const trusted = readTrustedProxies(option)
  expect(callerIp(incoming('10.0.0.1', { 'x-forwarded-for': forwardedFor }), trusted)).toBe(caller)
})

test('the outermost trusted proxy says how it was reached, and no stranger does', () => {
  const headers = { 'x-forwarded-for': '198.51.100.1, 10.0.0.2', 'x-forwarded-proto': 'https, http' }
  expect(isSecure(incoming('10.0.0.1', headers), readTrustedProxies('2'))).toBe(true)
  expect(isSecure(incoming('10.0.0.1', headers), readTrustedProxies('10.0.0.0/8'))).toBe(true)
  expect(isSecure(incoming('10.0.0.1', headers), oneHop)).toBe(false)
  expect(isSecure(incoming('192.0.2.1', headers), readTrustedProxies('10.0.0.0/8'))).toBe(false)
})

test.each(['0', '10', 'proxy.example', '10.0.0.0/33', '10.1/8', '10.0.0.1,', ''])(
  '--trust-proxy %j is refused with what it takes',
  (value) => {
    expect(() => readTrustedProxies(value)).toThrow(expect.objectContaining({ code: 'usage' }))
  },
)

test.each([
  [undefined, { 'x-forwarded-for': '192.0.2.1' }, /--trust-proxy is not set/],
  ['192.0.2.0/24', { 'x-forwarded-for': '192.0.2.1' }, /outside --trust-proxy is ignored/],
  ['1', {}, /without X-Forwarded-For/],
] as const)('with --trust-proxy %s a request with %j is warned about once', async (trustProxy, headers, warning) => {
  const { url, log } = await openServer({ trustProxy })
  for (let i = 0; i < 3; i++) await fetch(`${url}/api/relt/v1/stats`, { headers })
  expect(log.entries.filter(({ level }) => level === 'warn')).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(warning), peer: '127.0.0.1' }),
  ])
})

test('requests that fit the trusted proxies are not warned about', async () => {
  const { url, log } = await openServer({ trustProxy: '127.0.0.0/8' })
  await fetch(`${url}/api/relt/v1/stats`, { headers: { 'x-forwarded-for': '192.0.2.1' } })
  await fetch(`${url}/healthz`)
  expect(log.entries.filter(({ level }) => level === 'warn')).toEqual([])
})
