import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { createGzip } from 'node:zlib'
import { JsonReader, trimJson } from '../util/json.ts'
import { newUploadKey } from '../util/upload-key.ts'
import type { RequestInput, RouteRequest } from './route-request.ts'

/** From this size on, compressing is faster than sending uncompressed. */
const worthPacking = 16_384
const pieceLength = 1024 * 1024

/** Sends the report as raw text within its envelope. */
export async function toUploadRequest(
  path: string,
  { body, idempotencyKey }: RequestInput,
  report: Uint8Array,
): Promise<RouteRequest> {
  const bytes = trimJson(report)
  const reader = new JsonReader(bytes, 'The report')
  reader.skip()
  reader.end()
  const head = JSON.stringify(body ?? {}).slice(0, -1)
  const parts = [Buffer.from(`${head}${head === '{' ? '' : ','}"report":`), bytes, Buffer.from('}')]
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey ?? newUploadKey(),
  }
  if (length < worthPacking) return { method: 'POST', path, headers, body: Buffer.concat(parts) }
  return { method: 'POST', path, headers: { ...headers, 'content-encoding': 'gzip' }, body: await packParts(parts) }
}

/** Compresses piece by piece: joining them first would copy the report. */
async function packParts(parts: Uint8Array[]): Promise<Buffer> {
  const pieces = Readable.from(
    (function* () {
      for (const part of parts) {
        for (let at = 0; at < part.length; at += pieceLength) yield part.subarray(at, at + pieceLength)
      }
    })(),
    { objectMode: false },
  )
  return buffer(pieces.pipe(createGzip({ level: 4 })))
}
