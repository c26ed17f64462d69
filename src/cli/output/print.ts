import stringWidth from 'fast-string-width'
import { wrapAnsi } from 'fast-wrap-ansi'
import type { Io } from './io.ts'

/** Text for people, at once. */
export function print(io: Io, text: string): void {
  io.out(fold(io, text))
}

/** On a terminal a line that does not fit is broken between words, and goes on as far in as it began; so does an item of a list. */
export function fold(io: Io, text: string): string {
  if (!io.isTerminal) return text
  return text
    .split('\n')
    .map((line) => foldLine(line, io.width))
    .join('\n')
}

function foldLine(line: string, width: number): string {
  if (stringWidth(line) <= width) return line
  const lead = /^ *(?:[-*] )?/.exec(line)![0].slice(0, width / 2)
  const folded = wrapAnsi(line.slice(lead.length).trimStart(), width - lead.length, { hard: true })
  return lead + folded.replaceAll('\n', `\n${' '.repeat(lead.length)}`)
}
