/**
 * Splits block-style YAML by indentation, without parsing values. A value is indented deeper than its key or list item,
 * whatever it contains (block scalars, quoted text over several lines), except that a list may start at its key's column. So
 * the column of a line shows where the next key starts.
 */

/** The value after `key:`, up to the next key. `indent` is the key's column. */
export interface Value {
  text: Buffer
  start: number
  end: number
  indent: number
}

/** A mapping or list: its first line starts at `start`, which is at column `indent`. */
export type Block = Value

/** The text may still be valid YAML: aliases, flow style, several documents. */
class NotInBlockForm extends Error {}

const [lineFeed, carriageReturn, tab, space, hash, dash] = [0x0a, 0x0d, 0x09, 0x20, 0x23, 0x2d]
const longestKey = 1024
const keyPattern = /^(?:"([^"\\\r\n]*)"|'([^'\r\n]*)'|([^\s\-?:,[\]{}#&*!|>'"%@`][^\s]*?))[ \t]*:(?=\s)/

export function wholeBlock(text: Buffer): Block {
  const start = text[0] === 0xef && text[1] === 0xbb && text[2] === 0xbf ? 3 : 0
  const first = firstLine(text, start, text.length)
  const isMarker = text.toString('latin1', first.start, first.start + 3) === '---'
  if (!isMarker) return first
  const end = endOfLine(text, first.start)
  if (!isBlank(text, first.start + 3, end)) throw new NotInBlockForm()
  return firstLine(text, end, text.length)
}

/** The value as a mapping or list; undefined for other values. */
export function toBlock({ text, start, end, indent }: Value): Block | undefined {
  const rest = endOfLine(text, start)
  if (!isBlank(text, start, rest)) return undefined
  const block = firstLine(text, rest, end)
  const isDeeper = block.indent > indent || (block.indent === indent && isDash(text, block.start))
  return block.start < end && isDeeper ? block : undefined
}

/** Throws `NotInBlockForm` unless it is a mapping, and for keys that need a parser. */
export function* members(block: Block): Generator<[key: string, value: Value], void> {
  const { text, indent, end } = block
  let open: [string, number] | undefined
  for (const at of toLines(block)) {
    if (open && isDash(text, at)) continue
    if (open) yield [open[0], { text, start: open[1], end: at, indent }]
    const match = keyPattern.exec(`${text.toString('latin1', at, Math.min(at + longestKey, end))}\n`)
    if (!match) throw new NotInBlockForm()
    open = [Buffer.from(match[1] ?? match[2] ?? match[3] ?? '', 'latin1').toString('utf8'), at + match[0].length]
  }
  if (open) yield [open[0], { text, start: open[1], end, indent }]
}

/** The mappings in a list. Throws `NotInBlockForm` for other lists. */
export function* items(block: Block): Generator<Block, void> {
  const { text, indent, end } = block
  let open: number | undefined
  for (const at of toLines(block)) {
    if (!isDash(text, at)) throw new NotInBlockForm()
    if (open !== undefined) yield toItem({ text, start: open, end: at, indent })
    open = at
  }
  if (open !== undefined) yield toItem({ text, start: open, end, indent })
}

function toItem({ text, start, end, indent }: Block): Block {
  const content = skipSpaces(text, start + 1)
  const rest = endOfLine(text, content)
  if (!isBlank(text, start + 1, rest)) return { text, start: content, end, indent: indent + content - start }
  const block = firstLine(text, rest, end)
  if (block.start >= end || block.indent <= indent) throw new NotInBlockForm()
  return block
}

/** Offsets of the lines at the block's own column. */
function* toLines({ text, start, end, indent }: Block): Generator<number, void> {
  if (start < end) yield start
  for (let line = endOfLine(text, start); line < end; line = endOfLine(text, line)) {
    const content = skipSpaces(text, line)
    if (content >= end) return
    const column = content - line
    if (column > indent || isEmpty(text, content)) continue
    if (column < indent || text[content] === tab) throw new NotInBlockForm()
    yield content
  }
}

/** The block that starts at the first line with content. */
function firstLine(text: Buffer, from: number, end: number): Block {
  for (let line = from; line < end; line = endOfLine(text, line)) {
    const start = skipSpaces(text, line)
    if (start >= end) break
    if (isEmpty(text, start)) continue
    if (text[start] === tab) throw new NotInBlockForm()
    return { text, start, end, indent: start - line }
  }
  return { text, start: end, end, indent: 0 }
}

/** Offset after the line feed. */
function endOfLine(text: Buffer, at: number) {
  const end = text.indexOf(lineFeed, at)
  return end < 0 ? text.length : end + 1
}

function skipSpaces(text: Buffer, from: number) {
  let at = from
  while (text[at] === space) at++
  return at
}

/** Whether the line has only a comment, or nothing. */
function isEmpty(text: Buffer, content: number) {
  return text[content] === hash || isBlank(text, content, text.length)
}

/** Like `isEmpty`, after a value: a comment needs a space before it. */
function isBlank(text: Buffer, from: number, end: number) {
  let at = from
  while (at < end && (text[at] === tab || text[at] === space || text[at] === carriageReturn)) at++
  return at >= end || text[at] === lineFeed || (text[at] === hash && at > from)
}

function isDash(text: Buffer, at: number) {
  const next = text[at + 1]
  return text[at] === dash && (next === space || next === lineFeed || next === carriageReturn || next === undefined)
}
