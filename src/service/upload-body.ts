import { invalidParams } from '../errors.ts'
import { JsonReader, parseJson } from '../util/json.ts'
import type { Request } from './handler.ts'

/** Splits the body of an upload for `invoke`: the report is extracted as raw text. */
export function readUpload(bytes: Uint8Array = new Uint8Array()): Pick<Request, 'body' | 'report'> {
  if (bytes.length === 0) return { body: {} }
  const reader = new JsonReader(bytes, 'The body')
  if (!reader.isObject()) return { body: parseBody(bytes) }
  const body: Record<string, unknown> = {}
  let report: Uint8Array | undefined
  for (const key of reader.members()) {
    if (key === 'report') report = reader.skip()
    else body[key] = reader.value()
  }
  reader.end()
  const isNull = report?.length === 4 && Buffer.from(report).toString('latin1') === 'null'
  return report === undefined || isNull ? { body } : { body, report }
}

/** The service treats `null` as no body; from a client it is not an object. */
export function parseBody(bytes: Uint8Array): unknown {
  const body = parseJson(bytes, 'The body')
  if (body === null) throw invalidParams({ body: 'must be an object' })
  return body
}
