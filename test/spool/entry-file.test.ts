import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { packContent, unpackContent } from '../../src/spool/content.ts'
import { decodeContent, decodeHead, encodeEntry, maxHeadBytes } from '../../src/spool/entry-file.ts'
import { server } from './entries.ts'

const head = {
  server,
  cluster: 'shop-1',
  environment: 'prod',
  created: 1,
  idempotencyKey: 'relt-1',
  keyId: 'k',
}
const content = Buffer.from('sealed')
/** A file whose head is whole, whatever it says. */
function fileWith(more: object): Buffer {
  const line = `${JSON.stringify({ ...head, contentHash: hash('sha256', content, 'hex'), ...more })}\n`
  return Buffer.concat([Buffer.from(`relt-spool 1 ${hash('sha256', line, 'hex')}\n${line}`), content])
}

test('a head can be read from the start of a file alone', () => {
  const { head: read, length } = decodeHead(encodeEntry(head, Buffer.alloc(100_000, 1)).subarray(0, maxHeadBytes))
  expect(read).toMatchObject(head)
  expect(length).toBeGreaterThan(0)
})

test('a head that a reader would cut is refused when it is written', () => {
  expect(() => encodeEntry({ ...head, cluster: 'x'.repeat(maxHeadBytes) }, content)).toThrow('too long')
  const longest = encodeEntry({ ...head, cluster: '' }, content).length - content.length
  const fitting = { ...head, cluster: 'x'.repeat(maxHeadBytes - longest) }
  expect(decodeContent(encodeEntry(fitting, content)).head).toMatchObject(fitting)
  expect(() => encodeEntry({ ...fitting, cluster: `${fitting.cluster}x` }, content)).toThrow('too long')
})

test.each<[string, object]>([
  ['no server', { server: null }],
  ['a server without an address', { server: { ...server, url: 1 } }],
  ['a server whose name is no text', { server: { ...server, name: 1 } }],
  ['a user that is no text', { server: { ...server, user: {} } }],
  ['a cluster that is no text', { cluster: 1 }],
  ['no environment', { environment: undefined }],
  ['a time that is not a whole number', { created: 1.5 }],
  ['no idempotency key', { idempotencyKey: null }],
  ['no key id', { keyId: undefined }],
])('a head with %s is refused', (_, more) => {
  expect(decodeContent(fileWith({})).content.toString()).toBe('sealed')
  expect(() => decodeHead(fileWith(more))).toThrow('another version')
})

test('a head without a content hash is refused', () => {
  expect(() => decodeHead(fileWith({ contentHash: undefined }))).toThrow('another version')
  expect(() => decodeContent(fileWith({ contentHash: hash('sha256', 'other', 'hex') }))).toThrow(
    'modified or truncated',
  )
})

test('a file of another version is refused', () => {
  const other = encodeEntry(head, content).toString('latin1').replace('relt-spool 1', 'relt-spool 2')
  expect(() => decodeHead(Buffer.from(other, 'latin1'))).toThrow('no upload header')
})

test('content is read back as it was, and smaller on disk', () => {
  const upload = { body: { environment: 'prod' }, report: Buffer.from('{"checks":{}}'.repeat(1000)) }
  const packed = packContent(upload)
  const { body, report } = unpackContent(packed)
  expect({ body, report: String(report) }).toEqual({ body: upload.body, report: String(upload.report) })
  expect(packed.length).toBeLessThan(upload.report.length / 10)
})

test('content whose body is no object is refused', () => {
  expect(() => unpackContent(packContent({ body: [] as object, report: content }))).toThrow('not an object')
})
