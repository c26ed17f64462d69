import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { keyLength, seal, toKeyId, unseal } from '../../src/util/seal.ts'

const key = randomBytes(keyLength)
const plain = Buffer.from('what names a resource stays private')

describe('seal', () => {
  test('opens with the same key and identity', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.string(), (bytes, identity) => {
        expect(unseal(key, identity, seal(key, identity, bytes)).equals(bytes)).toBe(true)
      }),
    )
  })

  test('gives other bytes each time, and shows nothing of what is sealed', () => {
    const sealed = Array.from({ length: 100 }, () => seal(key, 'a', plain).toString('hex'))
    expect(new Set(sealed.map((hex) => hex.slice(2, 26))).size).toBe(100)
    expect(sealed.join()).not.toContain(plain.subarray(0, 8).toString('hex'))
  })

  test.each<[string, (sealed: Buffer) => Buffer]>([
    ['with another key', (sealed) => unseal(randomBytes(keyLength), 'run/report/0', sealed)],
    ['as something else', (sealed) => unseal(key, 'run/report/1', sealed)],
    ['without a name', (sealed) => unseal(key, '', sealed)],
    ['when it is empty', () => unseal(key, 'run/report/0', Buffer.alloc(0))],
    ['when only its head is left', (sealed) => unseal(key, 'run/report/0', sealed.subarray(0, 29))],
    ['when something is added', (sealed) => unseal(key, 'run/report/0', Buffer.concat([sealed, Buffer.of(0)]))],
    [
      'when it is from another version',
      (sealed) => unseal(key, 'run/report/0', Buffer.concat([Buffer.of(2), sealed.subarray(1)])),
    ],
  ])('does not open %s', (_, open) => {
    expect(() => open(seal(key, 'run/report/0', plain))).toThrow()
  })

  test('does not open when any bit of it is another', () => {
    const sealed = seal(key, 'a', plain)
    for (let bit = 0; bit < sealed.length * 8; bit++) {
      const changed = Buffer.from(sealed)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(() => unseal(key, 'a', changed), `bit ${bit}`).toThrow()
    }
  })

  test('does not open when its end is missing, however much', () => {
    const sealed = seal(key, 'a', plain)
    for (let length = 0; length < sealed.length; length++) {
      expect(() => unseal(key, 'a', sealed.subarray(0, length)), `${length} bytes`).toThrow()
    }
  })

  test('opens a part of a larger buffer', () => {
    const sealed = seal(key, 'a', plain)
    const larger = Buffer.concat([Buffer.from('xx'), sealed, Buffer.from('yy')])
    expect(unseal(key, 'a', new Uint8Array(larger).subarray(2, 2 + sealed.length))).toEqual(plain)
  })
})

test('toKeyId tells keys apart and shows nothing of them', () => {
  const others = Array.from({ length: 100 }, () => randomBytes(keyLength))
  expect(new Set(others.map(toKeyId)).size).toBe(100)
  expect(toKeyId(key)).toMatch(/^[0-9a-f]{16}$/)
  expect(toKeyId(Buffer.from(key))).toBe(toKeyId(key))
  expect(key.toString('hex')).not.toContain(toKeyId(key))
})
