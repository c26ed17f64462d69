import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Batch } from '../../../src/db/store-copy/end.ts'
import { copyHeader, copyTrailer, TupleWriter, toBatches, toFields } from '../../../src/db/store-copy/tuples.ts'

function toTuples(rows: (Uint8Array | null)[][]): Batch {
  const writer = new TupleWriter()
  for (const row of rows) {
    writer.beginRow(row.length)
    for (const field of row) {
      if (field) writer.addBytes(field)
      else writer.addNull()
    }
  }
  return writer.take()
}

async function* cut(bytes: Buffer, places: number[]): AsyncGenerator<Buffer> {
  let from = 0
  for (const place of [...places].sort((a, b) => a - b)) {
    yield bytes.subarray(from, place)
    from = place
  }
  yield bytes.subarray(from)
}

const row = fc.array(fc.option(fc.uint8Array({ maxLength: 40 })), { minLength: 1, maxLength: 4 })

test('rows come out as they went in, wherever the stream is cut', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 30 }), async (rows, places) => {
      const stream = Buffer.concat([copyHeader, toTuples(rows).tuples, copyTrailer])
      const batches: Batch[] = []
      for await (const batch of toBatches(
        cut(
          stream,
          places.map((place) => place % stream.length),
        ),
      ))
        batches.push(batch)
      const found = batches.flatMap((batch) => [...toFields(batch)])
      expect(found).toEqual(rows.map((fields) => fields.map((field) => field && Buffer.from(field))))
      expect(batches.reduce((sum, { rows }) => sum + rows, 0)).toBe(rows.length)
    }),
    { numRuns: 100 },
  )
})

test('a stream that ends early, or is something else, is an error', async () => {
  const stream = Buffer.concat([copyHeader, toTuples([[Buffer.from('a')], [null]]).tuples, copyTrailer])
  const read = async (bytes: Buffer) => {
    for await (const _ of toBatches(cut(bytes, [])));
  }
  await read(stream)
  for (let length = 0; length < stream.length; length++)
    await expect(read(stream.subarray(0, length))).rejects.toThrow()
  await expect(read(Buffer.from('a,b,c\n1,2,3\n4,5,6\n7,8,9\n'))).rejects.toThrow('Not a binary COPY.')
})

test('a zero has no sign, and a row may be larger than a batch', () => {
  const writer = new TupleWriter()
  writer.beginRow(3)
  writer.addReal(-0)
  writer.addInteger(-(2n ** 63n))
  writer.addBytes(Buffer.alloc(1_000_000, 7))
  expect(writer.isFull).toBe(true)
  const [[zero, least, large]] = [...toFields(writer.take())] as [[Buffer, Buffer, Buffer]]
  expect(zero.equals(Buffer.alloc(8))).toBe(true)
  expect(least.readBigInt64BE()).toBe(-(2n ** 63n))
  expect(large.equals(Buffer.alloc(1_000_000, 7))).toBe(true)
})
