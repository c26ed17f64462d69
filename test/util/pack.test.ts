import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pack, packAside, unpack } from '../../src/util/pack.ts'

test('what is packed, here or in another thread, is unpacked the same', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async (bytes) => {
      expect(unpack(pack(bytes)).equals(bytes)).toBe(true)
      expect(unpack(await packAside(bytes)).equals(bytes)).toBe(true)
    }),
    { numRuns: 50 },
  )
  const inPieces = randomBytes(10_000_000)
  expect(unpack(await packAside(inPieces)).equals(inPieces)).toBe(true)
  expect(unpack(pack('größe'.repeat(1_000_000))).toString()).toBe('größe'.repeat(1_000_000))
})

test('what is not packed is not unpacked', () => {
  expect(() => unpack(Buffer.from('plain'))).toThrow()
})
