import { isAscii } from 'node:buffer'
import { ReltError } from '../errors.ts'

const maxDepth = 64
/** A few bytes of JSON can become a hundred in memory. A report of 100 MB has about two million values. */
const maxValues = 4_000_000
const refusedKeys = new Set(['__proto__', 'constructor', 'prototype'])

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Removes a byte order mark and surrounding whitespace, so that a document is the same in a file and inside another one. */
export function trimJson(bytes: Uint8Array) {
  let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  let end = bytes.length
  while (start < end && space.has(bytes[start]!)) start++
  while (start < end && space.has(bytes[end - 1]!)) end--
  return bytes.subarray(start, end)
}

/** Parses a whole foreign text: see `JsonReader` for what is rejected. */
export function parseJson(bytes: Uint8Array, what: string) {
  const reader = new JsonReader(bytes, what)
  const value = reader.value()
  reader.end()
  return value
}

/**
 * Reads foreign JSON piece by piece, so that only one piece of a large document is in memory as values: UTF-8 with or
 * without a byte order mark, at most 64 levels deep, without duplicate keys in an object or keys that reach prototypes.
 * Every method throws `invalid_json`; `what` names the text in the message.
 */
export class JsonReader {
  readonly #bytes: Uint8Array
  /** View of the bytes as 32-bit words, to skip four bytes at once. */
  readonly #words: DataView
  readonly #what: string
  /** Offset of the trimmed text in the input. */
  readonly #offset: number
  #at: number
  #values = 0
  /** Number of keys in skipped objects, to detect duplicates, which `JSON.parse` merges. */
  #keys = 0

  /** `offset`: position of `bytes` in the whole text, if they are a piece of it. */
  constructor(bytes: Uint8Array, what: string, offset = 0) {
    this.#bytes = trimJson(bytes)
    this.#words = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length)
    this.#offset = offset + this.#bytes.byteOffset - bytes.byteOffset
    this.#what = what
    this.#at = 0
    if (this.#at === this.#bytes.length) throw this.#refuse('is empty')
  }

  /** Whether the next value is an object. */
  isObject() {
    return this.#bytes[this.#at] === openBrace
  }

  /** Whether the next value is a list. */
  isArray() {
    return this.#bytes[this.#at] === openBracket
  }

  /** Positions in the next value, a list. Before requesting the next position, the value at this one may be read. */
  *elements() {
    this.#expect(openBracket)
    if (this.#take(closeBracket)) return
    let position = 0
    do {
      const start = this.#at
      yield position++
      if (this.#at === start) this.value()
    } while (this.#take(comma))
    this.#expect(closeBracket)
  }

  /**
   * Functions that each parse some values of the next list: parsing each value separately is slower, and parsing a large
   * list at once takes more memory.
   */
  batches(): (() => unknown[])[] {
    const batches: (() => unknown[])[] = []
    this.#expect(openBracket)
    if (this.#take(closeBracket)) return batches
    do {
      const [start, keysBefore] = [this.#at, this.#keys]
      let end = this.#pass()
      while (end - start < batchLength && this.#take(comma)) end = this.#pass()
      const keys = this.#keys - keysBefore
      batches.push(() => this.#parse({ start, end, keys, isList: true }) as unknown[])
    } while (this.#take(comma))
    this.#expect(closeBracket)
    return batches
  }

  /** Keys of the next value, an object. Before requesting the next key, the value of this one may be read. */
  *members() {
    const seen = new Set<string>()
    this.#expect(openBrace)
    if (this.#take(closeBrace)) return
    do {
      if (this.#bytes[this.#at] !== quote) throw this.#unexpected()
      const keyAt = this.#at
      const key = this.#parse({ start: keyAt, end: this.#pass(this.#endOfString(keyAt)), keys: 0 }) as string
      if (refusedKeys.has(key)) throw this.#refuse(`has a key named "${key}"`)
      if (seen.has(key)) throw this.#refuse(`has the key "${key.slice(0, 100)}" twice`)
      seen.add(key)
      this.#expect(colon)
      const start = this.#at
      yield key
      if (this.#at === start) this.value()
    } while (this.#take(comma))
    this.#expect(closeBrace)
  }

  /** The next value. */
  value(): unknown {
    const [start, keysBefore] = [this.#at, this.#keys]
    const end = this.#pass()
    return this.#parse({ start, end, keys: this.#keys - keysBefore })
  }

  /** The text of the next value, without parsing it. */
  skip() {
    const start = this.#at
    return this.#bytes.subarray(start, this.#pass())
  }

  /** A reader for the next value, to be used later; this reader continues after it. */
  later() {
    const offset = this.#offset + this.#at
    return new JsonReader(this.skip(), this.#what, offset)
  }

  /** Throws unless only whitespace is left. */
  end() {
    if (this.#at < this.#bytes.length) throw this.#unexpected()
  }

  #parse({ start, end, keys, isList = false }: Piece): unknown {
    let value: unknown
    try {
      const text = decode(this.#bytes.subarray(start, end))
      value = JSON.parse(isList ? `[${text}]` : text)
    } catch (cause) {
      // V8's message has a position within the piece and quotes it: replaces that by the position in the whole text, which
      // reveals no secret.
      const why = cause instanceof SyntaxError ? cause.message.replace(positionInPiece, '') : 'it is not UTF-8 text'
      throw this.#refuse(`is not valid JSON: ${why} (after byte ${this.#offset + start})`, cause)
    }
    const kept = countKeys(value, (key) => this.#refuse(`has a key named "${key}"`))
    if (kept !== keys) throw this.#refuse(`has a key twice (after byte ${this.#offset + start})`)
    return value
  }

  /** Skips the next value. Returns its end. */
  #pass(end = this.#endOfValue()) {
    this.#at = end
    this.#skipSpace()
    return end
  }

  /** Only counts brackets; `JSON.parse` checks the content. */
  #endOfValue() {
    const bytes = this.#bytes
    const words = this.#words
    const { length } = bytes
    const lastWord = length - 4
    let depth = 0
    for (let at = this.#at; at < length; at++) {
      const byte = bytes[at]!
      if (byte <= lastSpace) {
        // Half of indented JSON is whitespace.
        while (at < lastWord && words.getInt32(at + 1) === fourSpaces) at += 4
        continue
      }
      if (byte === quote) {
        at = this.#endOfString(at) - 1
        if (depth === 0) return at + 1
      } else if (byte === openBrace || byte === openBracket) {
        if (++depth > maxDepth) throw this.#refuse(`is nested more than ${maxDepth} levels deep`)
      } else if (byte === closeBrace || byte === closeBracket) {
        if (--depth <= 0) return at + 1
      } else if (byte === comma) {
        if (++this.#values > maxValues) throw this.#refuse(`has more than ${maxValues.toLocaleString('en')} values`)
      } else if (byte === colon) {
        this.#keys++
      } else if (depth === 0) {
        return this.#endOfWord(at)
      }
    }
    throw this.#refuse('is not valid JSON: it ends too early')
  }

  #endOfString(start: number) {
    const bytes = this.#bytes
    const words = this.#words
    const { length } = bytes
    const lastWord = length - 4
    for (let at = start + 1; at < length; at++) {
      while (at <= lastWord && isPlain(words.getInt32(at))) at += 4
      const byte = bytes[at]!
      if (byte === quote) return at + 1
      if (byte === backslash) at++
    }
    throw this.#refuse('is not valid JSON: a text in it does not end')
  }

  /** End of a number, `true`, `false` or `null`. */
  #endOfWord(start: number) {
    let at = start
    while (at < this.#bytes.length && !endsWord.has(this.#bytes[at]!)) at++
    return at
  }

  #take(byte: number) {
    if (this.#bytes[this.#at] !== byte) return false
    this.#at++
    this.#skipSpace()
    return true
  }

  #expect(byte: number) {
    if (!this.#take(byte)) throw this.#unexpected()
  }

  #skipSpace() {
    while (space.has(this.#bytes[this.#at]!)) this.#at++
  }

  #unexpected() {
    const end = this.#at >= this.#bytes.length
    return this.#refuse(
      `is not valid JSON: ${end ? 'it ends too early' : `unexpected text at byte ${this.#offset + this.#at}`}`,
    )
  }

  #refuse(why: string, cause?: unknown) {
    return new ReltError('invalid_json', `${this.#what} ${why}.`, { cause })
  }
}

/** A part of the text that is parsed at once, with the number of its keys. */
interface Piece {
  start: number
  end: number
  keys: number
  /** The values of a list, without its brackets. */
  isList?: boolean
}

/** Bytes of values that are parsed at once. */
const batchLength = 32_768

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c]
const space = new Set([0x20, 0x09, 0x0a, 0x0d])
const lastSpace = 0x20
const fourSpaces = 0x20202020
const endsWord = new Set([...space, closeBrace, closeBracket, comma])

/** Whether none of the word's four bytes is a quote or backslash: subtracting 1 from a zero byte sets its highest bit. */
function isPlain(word: number) {
  const quotes = word ^ 0x22222222
  const backslashes = word ^ 0x5c5c5c5c
  return ((((quotes - 0x01010101) & ~quotes) | ((backslashes - 0x01010101) & ~backslashes)) & 0x80808080) === 0
}

const positionInPiece = /,? (?:in JSON )?at position \d+(?: \(line \d+ column \d+\))?$|, (?:\.{3})?".*$/s

/** Decodes ASCII as Latin-1, because such strings need half the memory. */
function decode(bytes: Uint8Array) {
  if (isAscii(bytes)) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
}

/** Number of keys in all objects. Recursive, because the depth is already limited. */
function countKeys(node: unknown, refuse: (key: string) => ReltError) {
  if (typeof node !== 'object' || node === null) return 0
  let count = 0
  if (Array.isArray(node)) {
    for (const child of node) count += countKeys(child, refuse)
    return count
  }
  for (const key in node) {
    if (refusedKeys.has(key)) throw refuse(key)
    count += 1 + countKeys((node as Record<string, unknown>)[key], refuse)
  }
  return count
}
