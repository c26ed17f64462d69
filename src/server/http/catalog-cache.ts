import { hash } from 'node:crypto'

/** An answer that is the same for all users. */
export interface PublicAnswer {
  /** JSON; as bytes if cached. */
  body: string | Buffer<ArrayBuffer>
  /** SHA-256 of the body, for the ETag. */
  tag: string
  /** The gzipped body, after its first request. */
  packed?: Buffer<ArrayBuffer>
}

/** An answer for one URL, with the name and path of its route. */
export interface CachedAnswer extends PublicAnswer {
  route: string
  path: string
}

export function publicAnswer(value: unknown): PublicAnswer {
  const body = JSON.stringify(value)
  return { body, tag: hash('sha256', body, 'base64url') }
}

/** Maximum age, because other processes may change the store. */
const maxAgeMs = 10_000
/** Maximum bytes of all bodies together; compressed bodies come on top. */
const maxSize = 16_000_000
const maxKeyLength = 300
/** Number of URLs to remember that were requested once. */
const maxAsked = 10_000

/**
 * Caches the catalog's answers by URL, so that a busy page is computed and compressed once. An answer is cached at its
 * second request, because caching answers that are never requested again costs garbage collection. The oldest is evicted
 * first.
 */
export class CatalogCache {
  readonly #asked = new Set<string>()
  readonly #entries = new Map<string, { answer: CachedAnswer; at: number }>()
  #size = 0
  #generation = 0

  /** Changes with each `clear`: data read before it must not be cached after it. */
  get generation() {
    return this.#generation
  }

  get size() {
    return this.#size
  }

  find(address: string, nowMs: number) {
    const entry = this.#entries.get(address)
    if (!entry) return undefined
    if (Math.abs(nowMs - entry.at) < maxAgeMs) return entry.answer
    this.#remove(address)
    return undefined
  }

  put(address: string, answer: CachedAnswer, { nowMs, generation }: { nowMs: number; generation: number }) {
    if (generation !== this.#generation || address.length > maxKeyLength || answer.body.length > maxSize / 4) return
    if (!this.#isAskedAgain(address)) return
    this.#remove(address)
    const body = Buffer.from(answer.body as string)
    this.#entries.set(address, { answer: { ...answer, body }, at: nowMs })
    this.#size += body.length
    while (this.#size > maxSize) this.#remove(this.#entries.keys().next().value!)
  }

  clear() {
    this.#generation++
    this.#entries.clear()
    this.#size = 0
  }

  #isAskedAgain(address: string) {
    if (this.#asked.has(address)) return true
    if (this.#asked.size >= maxAsked) this.#asked.clear()
    this.#asked.add(address)
    return false
  }

  #remove(address: string) {
    this.#size -= this.#entries.get(address)?.answer.body.length ?? 0
    this.#entries.delete(address)
  }
}
