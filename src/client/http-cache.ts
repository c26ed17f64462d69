import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { HttpResponse } from '../util/http-exchange.ts'
import { isObject } from '../util/json.ts'
import { makeFolder } from '../util/make-folder.ts'
import { readOwnFile } from '../util/own-file.ts'

const maxFiles = 200
const maxFileBytes = 1024 * 1024
/** Beyond this size, the oldest answers are evicted. */
const maxBytes = 20 * 1024 * 1024

/**
 * Caches public answers on disk, one file each, named by server and URL. Ignores read and write errors, because the cache is
 * optional.
 */
export class HttpCache {
  readonly #folder: string
  /** Milliseconds. */
  readonly #clock: () => number

  constructor(folder: string, clock: () => number) {
    this.#folder = folder
    this.#clock = clock
  }

  async find(url: string): Promise<{ tag: string | undefined; body: Buffer; isFresh: boolean } | undefined> {
    try {
      const file = this.#fileFor(url)
      if ((await stat(file)).size > 2 * maxFileBytes) return undefined
      const kept: unknown = JSON.parse(readOwnFile(file).toString('utf8'))
      if (!isObject(kept) || kept.url !== url || typeof kept.body !== 'string') return undefined
      if (typeof kept.until !== 'number' || (kept.tag !== undefined && typeof kept.tag !== 'string')) return undefined
      // An answer must not stay fresh forever after the clock was set back.
      const left = kept.until - this.#clock()
      return { tag: kept.tag, body: Buffer.from(kept.body), isFresh: left > 0 && left <= longestMs }
    } catch {
      return undefined
    }
  }

  /** Stores an answer if its headers allow it. */
  async put(url: string, { headers, body }: HttpResponse): Promise<void> {
    const rules = typeof headers['cache-control'] === 'string' ? headers['cache-control'] : ''
    const tag = typeof headers.etag === 'string' ? headers.etag : undefined
    const seconds = Number(/\bmax-age=(\d{1,9})\b/i.exec(rules)?.[1] ?? 0)
    if (!/\bpublic\b/i.test(rules) || /\b(no-store|private)\b/i.test(rules)) return
    if (body.length > maxFileBytes || (seconds === 0 && !tag)) return
    const until = this.#clock() + Math.min(seconds * 1000, longestMs)
    const text = JSON.stringify({ url, tag, until, body: body.toString('utf8') })
    try {
      makeFolder(this.#folder)
      const { replaceFile } = await import('../util/replace-file.ts')
      replaceFile(this.#fileFor(url), text)
      await this.#shrink()
    } catch {
      // It is requested again next time.
    }
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true }).catch(() => {})
  }

  #fileFor(url: string): string {
    // Hex instead of a hash, because loading one takes longer than reading the file. URLs that end alike share a file, which
    // contains its URL.
    return join(this.#folder, `${Buffer.from(url).toString('hex').slice(-200)}.json`)
  }

  async #shrink(): Promise<void> {
    const names = await readdir(this.#folder)
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(this.#folder, name)
        const { size, mtimeMs } = await stat(file)
        return { file, size, mtimeMs }
      }),
    )
    let count = 0
    let bytes = 0
    for (const { file, size } of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
      count++
      bytes += size
      if (count > maxFiles || bytes > maxBytes) await rm(file, { force: true })
    }
  }
}

const longestMs = 86_400_000
