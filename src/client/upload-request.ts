import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { JsonReader, trimJson } from '../util/json.ts'
import { newUploadKey } from '../util/upload-key.ts'
import type { RequestInput, RouteRequest } from './route-request.ts'

/** From here on packing takes less time than sending. */
const worthPacking = 16_384

/** The report goes out as it is, in the middle of what surrounds it. */
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
  const whole = Buffer.concat([Buffer.from(`${head}${head === '{' ? '' : ','}"report":`), bytes, Buffer.from('}')])
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey ?? newUploadKey(),
  }
  if (whole.length < worthPacking) return { method: 'POST', path, headers, body: whole }
  return {
    method: 'POST',
    path,
    headers: { ...headers, 'content-encoding': 'gzip' },
    body: await promisify(gzip)(whole, { level: 4 }),
  }
}
