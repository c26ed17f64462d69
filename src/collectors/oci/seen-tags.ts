import { hash } from 'node:crypto'
import * as z from 'zod/mini'
import { parseJson } from '../parse-json.ts'

/** Tags that were read, the rules they were read by, and the list's ETag. */
const SeenTags = z.object({ seen: z.array(z.string()), rules: z.string(), etag: z.optional(z.string()) })
export type SeenTags = z.infer<typeof SeenTags>

/** By repository. */
export function readCursor(text = '{}') {
  return new Map(Object.entries(parseJson(Buffer.from(text), z.record(z.string(), SeenTags)) ?? {}))
}

/** Stores only part of the hash of a seen tag, because there may be thousands. */
export function toMark(tag: string) {
  return hash('sha256', tag, 'base64').slice(0, 6)
}
