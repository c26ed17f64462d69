import { hash } from 'node:crypto'
import * as z from 'zod/mini'

const Cursor = z.record(z.string(), z.object({ seen: z.string(), rules: z.string(), etag: z.optional(z.string()) }))

/** Per repository: seen tags, the rules they were read by, and the list's ETag. */
export type Cursor = z.infer<typeof Cursor>

export function readCursor(text: string | undefined): Cursor {
  try {
    return Cursor.parse(JSON.parse(text ?? '{}'))
  } catch {
    return {}
  }
}

/** Set of seen tags, stored as four-byte hashes because there may be thousands. */
export class SeenTags {
  readonly #marks: Set<string>

  constructor(kept = '') {
    this.#marks = new Set(Buffer.from(kept, 'base64').toString('hex').match(/.{8}/g))
  }

  has(tag: string) {
    return this.#marks.has(toMark(tag))
  }

  static of(tags: Iterable<string>) {
    return Buffer.from(Array.from(tags, toMark).toSorted().join(''), 'hex').toString('base64')
  }
}

function toMark(tag: string) {
  return hash('sha256', tag).slice(0, 8)
}
