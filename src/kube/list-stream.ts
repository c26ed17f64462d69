import { isAscii } from 'node:buffer'
import { ReltError } from '../errors.ts'
import { fourSpaces, isObject, isPlain } from '../util/json.ts'

/** An object on an API server is at most a few megabytes. */
const maxItemBytes = 64 * 1024 * 1024
const maxDepth = 100

/**
 * Parses the items of an API server's list while it streams, so that one item is in memory at a time. Throws `invalid_json`.
 */
export function createListStream(what: string, onItem: (item: unknown) => void) {
  let depth = 0
  /** Whether a string continues into the next chunk, and whether its next byte is escaped. */
  let inText = false
  let isEscaped = false
  /** The last string at the top level: a key, once a colon follows. */
  let text: Buffer[] = []
  let key = ''
  /** Captured bytes: an item, or the list's metadata. */
  let captured: Buffer[] | undefined
  let capturedBytes = 0
  let isOver = false
  let hasItems = false
  let next: string | undefined
  return {
    push,
    end,
    /** Token of the next page. */
    get next() {
      return next
    },
  }

  function push(chunk: Buffer) {
    const words = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
    const lastWord = chunk.length - 4
    // Start of the captured part within the chunk.
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      if (inText) {
        at = endOfText(chunk, words, at)
        if (inText) break
        continue
      }
      const byte = chunk[at]!
      if (byte <= lastSpace) {
        while (at < lastWord && words.getInt32(at + 1) === fourSpaces) at += 4
      } else if (byte === quote) {
        inText = true
        if (depth === 1) text = []
      } else if (byte === openBrace || byte === openBracket) {
        if (opens(byte)) start = at
      } else if (byte === closeBrace || byte === closeBracket) {
        if (closes()) {
          capture(chunk.subarray(start, at + 1))
          hand()
        }
      } else if (depth === 0) {
        throw refuse('is no answer of an API server')
      } else if (byte === colon && depth === 1) {
        key = Buffer.concat(text).toString('latin1')
        if (key === 'items') hasItems = true
      }
    }
    if (captured) capture(chunk.subarray(start))
  }

  /** Throws if the list is incomplete. */
  function end() {
    if (!isOver || inText) throw refuse('ends too early')
    // A proxy may answer with its own object, which must not look like an empty list.
    if (!hasItems) throw refuse('has no items')
  }

  /** Position of the last byte of the string within this chunk. */
  function endOfText(chunk: Buffer, words: DataView, from: number) {
    const lastWord = chunk.length - 4
    let at = from
    for (; at < chunk.length; at++) {
      while (!isEscaped && at <= lastWord && isPlain(words.getInt32(at))) at += 4
      if (at === chunk.length) break
      if (isEscaped) isEscaped = false
      else if (chunk[at] === backslash) isEscaped = true
      else if (chunk[at] === quote) {
        inText = false
        break
      }
    }
    if (depth === 1) text.push(chunk.subarray(from, at))
    return at
  }

  /** True if an item or the metadata starts here. */
  function opens(byte: number) {
    if (isOver || (depth === 0 && byte !== openBrace)) throw refuse('is not a list')
    if (++depth > maxDepth) throw refuse(`is nested more than ${maxDepth} levels deep`)
    const isItem = depth === 3 && key === 'items'
    const isMetadata = depth === 2 && key === 'metadata'
    if (byte !== openBrace || !(isItem || isMetadata)) return false
    captured = []
    capturedBytes = 0
    return true
  }

  /** True if the captured value ends here. */
  function closes() {
    if (--depth < 0) throw refuse('is not valid JSON')
    isOver = depth === 0
    return captured !== undefined && depth === (key === 'items' ? 2 : 1)
  }

  function capture(part: Buffer) {
    capturedBytes += part.length
    if (capturedBytes > maxItemBytes) throw refuse(`has an item above ${maxItemBytes / 1024 / 1024} MB`)
    captured!.push(part)
  }

  function hand() {
    const bytes = captured!.length === 1 ? captured![0]! : Buffer.concat(captured!)
    captured = undefined
    const value = parse(bytes)
    if (key === 'items') onItem(value)
    else if (isObject(value) && typeof value.continue === 'string' && value.continue) next = value.continue
  }

  /** Allows any keys, such as a label `constructor`: keys are only read by fixed names. */
  function parse(bytes: Buffer): unknown {
    try {
      return JSON.parse(bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8'))
    } catch (cause) {
      throw refuse('is not valid JSON', cause)
    }
  }

  function refuse(why: string, cause?: unknown) {
    return new ReltError('invalid_json', `${what} ${why}.`, { cause })
  }
}

const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]
const [quote, backslash, colon, lastSpace] = [0x22, 0x5c, 0x3a, 0x20]
