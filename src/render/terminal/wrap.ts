import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** The lines of a cell. A long name breaks after a separator rather than within a word, and a number stays with its unit. */
export function wrapCell(cell: string, width: number) {
  const text = withUnits(cell).replace(/\S+/g, (word) => separated(word, width))
  return wrapAnsi(text, width, { hard: true }).replaceAll(joint, ' ').split('\n')
}

/** The width that a cell needs so that none of its words breaks. */
export function longestPart(cell: string): number {
  return Math.max(
    0,
    ...withUnits(cell)
      .split(' ')
      .flatMap(toParts)
      .flatMap(labelsFor)
      .map((part) => stringWidth(part)),
  )
}

/** Placeholder for a space at which lines must not break. */
const joint = '\u2007'
const withUnits = (text: string) =>
  text.replace(/(?<=\d) (?=(?:rel|d|h|min|s|ms|kB|MB|GB|%)(?![\w-]))|(?<=\u2265) (?=\d)/g, joint)

/** Splits after separators, but not inside a date, nor inside an id such as `crun_k3v7qd2m5x4aznle` or `CVE-2026-1234`. */
const toParts = (word: string) =>
  word.split(/(?<=[/:@=_-])(?<!\b\d{4}-(?:\d\d-)?|\bCVE-|\bGHSA-(?:\w{4}-){0,2}|\b[a-z]{3,4}_(?=[a-z0-9]{16}))/)
/** Splits a long host name after its dots. */
const labelsFor = (part: string) => part.split(/(?<=[a-z]\.)(?=[a-z])/)

/** Inserts spaces where lines must end: two adjacent parts never fit into one line, so no space is ever shown. */
function separated(word: string, width: number) {
  const parts = toParts(word).flatMap((part) => (stringWidth(part) > width ? labelsFor(part) : part))
  if (parts.some((part) => stringWidth(part) > width)) return word
  const lines = ['']
  for (const part of parts) {
    if (stringWidth(lines.at(-1)! + part) <= width) lines[lines.length - 1] += part
    else lines.push(part)
  }
  return lines.join(' ')
}
