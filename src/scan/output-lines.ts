import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'

const longestLine = 1000
const keptLines = 15

/** A program's output line by line, from two streams. Keeps only the end of endless output or lines. */
export class OutputLines {
  /** The last lines of the output. */
  readonly tail: string[] = []
  readonly #mask: (line: string) => string
  readonly #onLine: (line: string) => void

  constructor(mask: (line: string) => string, onLine: (line: string) => void = () => {}) {
    this.#mask = mask
    this.#onLine = onLine
  }

  /** Handlers for one of the streams; `end` emits an unterminated last line. */
  stream() {
    const decoder = new StringDecoder('utf8')
    let open = ''
    let isCut = false
    const close = () => {
      this.#add(open)
      open = ''
      isCut = false
    }
    const append = (part: string) => {
      if (!isCut) open += part
      // A secret split at the cut would not be recognized.
      if (open.length > longestLine * 10) isCut = true
    }
    const write = (chunk: Buffer) => {
      const [first = '', ...rest] = decoder.write(chunk).split(/\r?\n|\r/)
      append(first)
      for (const part of rest) {
        close()
        append(part)
      }
    }
    return { write, end: close }
  }

  #add(line: string) {
    const shown = this.#mask(stripVTControlCharacters(line)).slice(0, longestLine)
    if (shown.trim() === '') return
    this.tail.push(shown)
    if (this.tail.length > keptLines) this.tail.shift()
    this.#onLine(shown)
  }
}
