import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { callerAddress, isSecure } from '../../src/server/http/address.ts'

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
