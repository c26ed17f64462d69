import { isAscii } from 'node:buffer'
import { ReltError } from '../errors.ts'
import { fourSpaces, isObject, isPlain } from '../util/json.ts'

/** An object on an API server is at most a few megabytes. */
const maxItemBytes = 64 * 1024 * 1024
const maxDepth = 100

/**
 * Parses the items of an API server's list while it streams, so that one item is in memory at a time. Throws `invalid_json`.
 */
export class ListStream {
  readonly #what: string
  readonly #onItem: (item: unknown) => void
  #depth = 0
  /** Whether a string continues into the next chunk, and whether its next byte is escaped. */
  #inText = false
  #isEscaped = false
  /** The last string at the top level: a key, once a colon follows. */
  #text: Buffer[] = []
  #key = ''
  /** Captured bytes: an item, or the list's metadata. */
  #captured: Buffer[] | undefined
  #capturedBytes = 0
  #isOver = false
  #hasItems = false
  /** Token of the next page. */
  next: string | undefined

  constructor(what: string, onItem: (item: unknown) => void) {
    this.#what = what
    this.#onItem = onItem
  }

  push(chunk: Buffer): void {
    const words = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
    const lastWord = chunk.length - 4
    // Start of the captured part within the chunk.
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inText) {
        at = this.#endOfText(chunk, words, at)
        if (this.#inText) break
        continue
      }
      const byte = chunk[at]!
      if (byte <= lastSpace) {
        while (at < lastWord && words.getInt32(at + 1) === fourSpaces) at += 4
      } else if (byte === quote) {
        this.#inText = true
        if (this.#depth === 1) this.#text = []
      } else if (byte === openBrace || byte === openBracket) {
        if (this.#opens(byte)) start = at
      } else if (byte === closeBrace || byte === closeBracket) {
        if (this.#closes()) {
          this.#capture(chunk.subarray(start, at + 1))
          this.#hand()
        }
      } else if (byte === colon && this.#depth === 1) {
        this.#key = Buffer.concat(this.#text).toString('latin1')
        if (this.#key === 'items') this.#hasItems = true
      }
    }
    if (this.#captured) this.#capture(chunk.subarray(start))
  }

  /** Throws if the list is incomplete. */
  end(): void {
    if (!this.#isOver || this.#inText) throw this.#refuse('ends too early')
    // A proxy may answer with its own object, which must not look like an empty list.
    if (!this.#hasItems) throw this.#refuse('has no items')
  }

  /** Position of the last byte of the string within this chunk. */
  #endOfText(chunk: Buffer, words: DataView, from: number): number {
    const lastWord = chunk.length - 4
    let at = from
    for (; at < chunk.length; at++) {
      while (!this.#isEscaped && at <= lastWord && isPlain(words.getInt32(at))) at += 4
      if (at === chunk.length) break
      if (this.#isEscaped) this.#isEscaped = false
      else if (chunk[at] === backslash) this.#isEscaped = true
      else if (chunk[at] === quote) {
        this.#inText = false
        break
      }
    }
    if (this.#depth === 1) this.#text.push(chunk.subarray(from, at))
    return at
  }

  /** True if an item or the metadata starts here. */
  #opens(byte: number): boolean {
    if (this.#isOver || (this.#depth === 0 && byte !== openBrace)) throw this.#refuse('is not a list')
    if (++this.#depth > maxDepth) throw this.#refuse(`is nested more than ${maxDepth} levels deep`)
    const isItem = this.#depth === 3 && this.#key === 'items'
    const isMetadata = this.#depth === 2 && this.#key === 'metadata'
    if (byte !== openBrace || !(isItem || isMetadata)) return false
    this.#captured = []
    this.#capturedBytes = 0
    return true
  }

  /** True if the captured value ends here. */
  #closes(): boolean {
    if (--this.#depth < 0) throw this.#refuse('is not valid JSON')
    this.#isOver = this.#depth === 0
    return this.#captured !== undefined && this.#depth === (this.#key === 'items' ? 2 : 1)
  }

  #capture(part: Buffer): void {
    this.#capturedBytes += part.length
    if (this.#capturedBytes > maxItemBytes) throw this.#refuse(`has an item above ${maxItemBytes / 1024 / 1024} MB`)
    this.#captured!.push(part)
  }

  #hand(): void {
    const bytes = this.#captured!.length === 1 ? this.#captured![0]! : Buffer.concat(this.#captured!)
    this.#captured = undefined
    const value = this.#parse(bytes)
    if (this.#key === 'items') this.#onItem(value)
    else if (isObject(value) && typeof value.continue === 'string' && value.continue) this.next = value.continue
  }

  /** Allows any keys, such as a label `constructor`: keys are only read by fixed names. */
  #parse(bytes: Buffer): unknown {
    try {
      return JSON.parse(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'))
    } catch (cause) {
      throw this.#refuse('is not valid JSON', cause)
    }
  }

  #refuse(why: string, cause?: unknown) {
    return new ReltError('invalid_json', `${this.#what} ${why}.`, { cause })
  }
}

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [quote, backslash, colon, lastSpace] = [0x22, 0x5c, 0x3a, 0x20]
