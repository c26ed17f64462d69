import { crc32, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readZip } from '../../scripts/catalog/zip.ts'
import { makeZip } from '../helpers/zip.ts'

const read = (zip: Buffer) => [...readZip(zip)].map((content) => content.toString('utf8'))

test('reads the files of an archive, packed or not, whatever their names', () => {
  const files = [
    { name: 'GO-1.json', content: '{"id":"GO-1"}' },
    { name: '../../etc/passwd', content: '{"id":"GO-2"}', method: 0 },
    { name: '__proto__', content: 'x'.repeat(100_000) },
    { name: 'empty/', content: '' },
  ]
  expect(read(makeZip(files))).toEqual(['{"id":"GO-1"}', '{"id":"GO-2"}', 'x'.repeat(100_000)])
  expect(read(makeZip([]))).toEqual([])
})

const content = '{"id":"GO-1"}'
const packed = deflateRawSync(content)
const bomb = { name: 'bomb', content: Buffer.alloc(17 * 1024 * 1024) }

test.each<[string, Buffer]>([
  ['text', Buffer.from('<html>')],
  ['nothing', Buffer.alloc(0)],
  ['a file of another checksum', makeZip([{ name: 'a', content, checksum: crc32('other') }])],
  ['a file that is larger than it says', makeZip([{ name: 'a', content, size: 3 }])],
  ['a file that is smaller than it says', makeZip([{ name: 'a', content, size: 300 }])],
  ['a file that is too large', makeZip([bomb])],
  ['a bomb that says it is small', makeZip([{ ...bomb, size: 10 }])],
  ['a file packed in another way', makeZip([{ name: 'a', content, method: 12 }])],
  ['an encrypted file', makeZip([{ name: 'a', content, flags: 1 }])],
  [
    'a file that two entries share',
    makeZip([
      { name: 'a', content },
      { name: 'b', content, place: 0 },
    ]),
  ],
  ['a file that reaches into the directory', makeZip([{ name: 'a', content, packed: packed.length + 40 }])],
  ['a file outside the archive', makeZip([{ name: 'a', content, place: 1_000_000 }])],
  ['an archive that was cut', makeZip([{ name: 'a', content }]).subarray(0, -10)],
  ['an archive without its beginning', makeZip([{ name: 'a', content }]).subarray(20)],
])('refuses %s', (_, zip) => {
  expect(() => read(zip)).toThrow()
})

test('refuses files that are too large together, before it unpacks the last', () => {
  const part = { name: 'part', content: Buffer.alloc(16 * 1024 * 1024) }
  const files = readZip(makeZip(Array.from({ length: 33 }, () => part)))
  expect(() => {
    for (let count = 0; count < 33; count++) files.next()
  }).toThrow('too large')
})

test('a changed byte is refused, or changes no content', () => {
  const zip = makeZip([
    { name: 'a', content },
    { name: 'b', content: 'other' },
  ])
  fc.assert(
    fc.property(fc.nat(zip.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const changed = Buffer.from(zip)
      changed[at]! ^= flip
      let found: string[] = []
      try {
        found = read(changed)
      } catch {
        return
      }
      expect([content, 'other'].slice(0, found.length)).toEqual(found)
    }),
  )
})
