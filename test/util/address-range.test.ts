import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseNetwork, refusedHost, refusedRange } from '../../src/util/address-range.ts'

describe('an address that is not public is refused', () => {
  test.each([
    ['127.0.0.1', 'a loopback address'],
    ['127.8.9.10', 'a loopback address'],
    ['::1', 'a loopback address'],
    ['0.0.0.0', 'an unspecified address'],
    ['0.1.2.3', 'an unspecified address'],
    ['::', 'an unspecified address'],
    ['10.0.0.1', 'a private address'],
    ['172.16.0.1', 'a private address'],
    ['192.168.1.1', 'a private address'],
    ['100.64.0.1', 'a private address'],
    ['100.100.100.200', 'a private address'],
    ['fd00:ec2::254', 'a private address'],
    ['169.254.169.254', 'a link-local address'],
    ['168.63.129.16', 'a link-local address'],
    ['fe80::1', 'a link-local address'],
    ['224.0.0.1', 'a multicast address'],
    ['ff02::1', 'a multicast address'],
    ['255.255.255.255', 'a broadcast address'],
    ['192.0.0.192', 'not a public address'],
    ['198.18.0.1', 'not a public address'],
    ['240.0.0.1', 'not a public address'],
    ['fec0::1', 'not a public address'],
    ['2001:db8::1', 'not a public address'],
    // IPv4 inside IPv6: mapped, compatible, translated, NAT64, local NAT64, 6to4, Teredo.
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['::ffff:a9fe:a9fe', 'a link-local address'],
    ['64:ff9b::7f00:1', 'a loopback address'],
    ['64:ff9b::169.254.169.254', 'a link-local address'],
    ['::7f00:1', 'not a public address'],
    ['::ffff:0:127.0.0.1', 'not a public address'],
    ['64:ff9b:1::7f00:1', 'not a public address'],
    ['2002:7f00:1::', 'not a public address'],
    ['2001:0:7f00:1::1', 'not a public address'],
    ['no address', 'not an IP address'],
  ])('%s is %s', (address, range) => {
    expect(refusedRange(address)).toBe(range)
  })

  test.each(['8.8.8.8', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    '%s is public',
    (address) => {
      expect(refusedRange(address)).toBeUndefined()
    },
  )

  test('every address of 10.0.0.0/8 is refused in each notation', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 24 - 1 }), (rest) => {
        const bytes = [10, rest >> 16, (rest >> 8) & 255, rest & 255]
        const dotted = bytes.join('.')
        const hex = Buffer.from(bytes)
          .toString('hex')
          .replace(/^(.{4})/, '$1:')
        for (const form of [dotted, `::ffff:${dotted}`, `::ffff:${hex}`, `64:ff9b::${hex}`, `::${dotted}`]) {
          expect(refusedRange(form)).toBeDefined()
        }
        const asNumber = String(10 * 2 ** 24 + rest)
        expect(refusedHost(new URL(`https://${asNumber}/`))).toBe('a private address')
      }),
    )
  })
})

describe('an allowed network', () => {
  const allowed = ['10.1.0.0/16', '127.0.0.1', 'fd12::/16'].map(parseNetwork)

  test('opens its addresses and no others', () => {
    expect(refusedRange('10.1.2.3', allowed)).toBeUndefined()
    expect(refusedRange('::ffff:10.1.2.3', allowed)).toBeUndefined()
    expect(refusedRange('127.0.0.1', allowed)).toBeUndefined()
    expect(refusedRange('fd12::1', allowed)).toBeUndefined()
    expect(refusedRange('10.2.0.1', allowed)).toBe('a private address')
    expect(refusedRange('127.0.0.2', allowed)).toBe('a loopback address')
  })

  test.each(['10.0.0.0/33', '10/8', '10.1', '0x7f.0.0.1', 'fd00::/129', 'corp.example', ''])(
    '%j is not a network',
    (text) => {
      expect(() => parseNetwork(text)).toThrow()
    },
  )
})

describe('the host of a URL', () => {
  test.each([
    'https://169.254.169.254/latest/meta-data',
    'https://2852039166/',
    'https://0xa9fea9fe/',
    'https://0251.0376.0251.0376/',
    'https://127.1/',
    'https://127.0.0.1./',
    'https://[::ffff:169.254.169.254]/',
    'https://localhost:8080/',
    'https://localhost./',
    'https://anything.localhost/',
  ])('%s is refused', (url) => {
    expect(refusedHost(new URL(url))).toBeDefined()
  })

  test.each(['https://github.com/', 'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://notlocalhost/'])(
    '%s is not',
    (url) => {
      expect(refusedHost(new URL(url))).toBeUndefined()
    },
  )
})
