import { gunzipSync, gzipSync } from 'node:zlib'
import type { ReportEnvelope } from '../contract/cluster-report.ts'
import { isObject, parseJson } from '../util/json.ts'

/** The sealed content of an upload. */
export interface SpoolContent {
  /** The fields around the report. */
  body: ReportEnvelope
  /** JSON text. */
  report: Uint8Array
}

/** Limit for a report of 100 MB and its inventory. */
const maxBytes = 256 * 1024 * 1024

/** Layout before compression: length of the body (4 bytes) | body | report. */
export function packContent({ body, report }: SpoolContent) {
  const text = Buffer.from(JSON.stringify(body))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return gzipSync(Buffer.concat([length, text, report]), { level: 4 })
}

export function unpackContent(packed: Uint8Array): SpoolContent {
  const bytes = gunzipSync(packed, { maxOutputLength: maxBytes })
  const end = 4 + bytes.readUInt32BE(0)
  const body = parseJson(bytes.subarray(4, end), 'The body')
  if (!isObject(body)) throw new Error('its body is not an object')
  return { body, report: bytes.subarray(end) }
}
