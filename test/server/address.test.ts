import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { askedOrigin, callerAddress, isSecure } from '../../src/server/http/address.ts'

const incoming = (remoteAddress: string, headers = {}, encrypted = false) =>
  ({ socket: { remoteAddress, encrypted }, headers }) as unknown as IncomingMessage

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the caller %s counts as %s', (address, counted) => {
  expect(callerAddress(incoming(address), false)).toBe(counted)
})

test('what a caller says of itself counts only behind a proxy, and there the last hop', () => {
  const from = incoming('127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 203.0.113.9' })
  expect(callerAddress(from, false)).toBe('127.0.0.1')
  expect(callerAddress(from, true)).toBe('203.0.113.9')
  expect(callerAddress(incoming('127.0.0.1', { 'x-forwarded-for': 'nonsense' }), true)).toBe('127.0.0.1')
  expect(callerAddress(incoming('127.0.0.1'), true)).toBe('127.0.0.1')
  expect(callerAddress(undefined, true)).toBe('unknown')
})

test('a caller is secure over TLS, or when the trusted proxy says so', () => {
  const said = incoming('127.0.0.1', { 'x-forwarded-proto': 'https' })
  expect([isSecure(said, false), isSecure(said, true)]).toEqual([false, true])
  expect(isSecure(incoming('127.0.0.1', { 'x-forwarded-proto': 'https, http' }), true)).toBe(false)
  expect(isSecure(incoming('127.0.0.1', {}, true), false)).toBe(true)
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
  expect(askedOrigin(url, incoming('127.0.0.1', headers), true)).toBe(origin)
})

test('a host that a caller says was forwarded does not count without a proxy', () => {
  const said = incoming('127.0.0.1', { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' })
  expect(askedOrigin('http://10.0.0.7/api', said, false)).toBe('http://10.0.0.7')
  expect(askedOrigin('http://10.0.0.7/api', incoming('127.0.0.1', {}, true), false)).toBe('https://10.0.0.7')
})
