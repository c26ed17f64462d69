import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'

/** The lines of a cell. A long name breaks behind one of its separators rather than in the middle of a word. */
export function wrapCell(cell: string, width: number): string[] {
  const text = cell.replace(/\S+/g, (word) => (stringWidth(word) <= width ? word : separated(word, width)))
  return wrapAnsi(text, width, { hard: true }).split('\n')
}

/** With blanks where a line has to end: two neighbours never fit into one line, so no blank is ever shown. */
function separated(word: string, width: number): string {
  const parts = word.split(/(?<=[/:@_-])/)
  if (parts.some((part) => stringWidth(part) > width)) return word
  const lines = ['']
  for (const part of parts) {
    if (stringWidth(lines.at(-1)! + part) <= width) lines[lines.length - 1] += part
    else lines.push(part)
  }
  return lines.join(' ')
}
