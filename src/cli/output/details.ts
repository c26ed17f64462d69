import { wrapAnsi } from 'fast-wrap-ansi'
import type { Io } from './io.ts'

/** What is known of one thing, a line each; what does not fit goes on below where it began. Texts are plain by now. */
export function renderDetails(io: Io, fields: [label: string, text: string][]): string {
  const indent = 4 + Math.max(...fields.map(([label]) => label.length))
  return fields
    .map(([label, text]) => {
      const lines = io.isTerminal ? wrapAnsi(text, io.width - indent, { hard: true }) : text
      return `  ${io.color.dim(label.padEnd(indent - 2))}${lines.replaceAll('\n', `\n${' '.repeat(indent)}`)}\n`
    })
    .join('')
}
