import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/**
 * The lines of a cell. A long name breaks behind one of its separators rather than in the middle of a word, and a number stays
 * with its unit.
 */
export function wrapCell(cell: string, width: number): string[] {
  const text = withUnits(cell).replace(/\S+/g, (word) => (stringWidth(word) <= width ? word : separated(word, width)))
  return wrapAnsi(text, width, { hard: true }).replaceAll(joint, ' ').split('\n')
}

/** The width that a cell needs so that none of its words breaks. */
export function longestPart(cell: string): number {
  return Math.max(
    0,
    ...withUnits(cell)
      .split(' ')
      .flatMap(partsOf)
      .flatMap(labelsOf)
      .map((part) => stringWidth(part)),
  )
}

/** Stands for a blank that ends no line. */
const joint = '\u2007'
const withUnits = (text: string): string =>
  text.replace(/(?<=\d) (?=(?:rel|d|h|min|s|ms|kB|MB|GB|%)(?![\w-]))|(?<=≥) (?=\d)/g, joint)

/** Ends behind separators, but not inside a date. */
const partsOf = (word: string): string[] => word.split(/(?<=[/:@_-])(?<!\b\d{4}-(?:\d\d-)?)/)
/** A name of a host that is still too long ends behind its dots. */
const labelsOf = (part: string): string[] => part.split(/(?<=[a-z]\.)(?=[a-z])/)

/** With blanks where a line has to end: two neighbours never fit into one line, so no blank is ever shown. */
function separated(word: string, width: number): string {
  const parts = partsOf(word).flatMap((part) => (stringWidth(part) > width ? labelsOf(part) : part))
  if (parts.some((part) => stringWidth(part) > width)) return word
  const lines = ['']
  for (const part of parts) {
    if (stringWidth(lines.at(-1)! + part) <= width) lines[lines.length - 1] += part
    else lines.push(part)
  }
  return lines.join(' ')
}
