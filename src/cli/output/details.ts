import { wrapAnsi } from 'fast-wrap-ansi'
import type { Io } from './io.ts'

/** Fields of one record, a line each; long values wrap below their start. Texts are plain already. */
export function renderDetails(io: Io, fields: [label: string, text: string][]): string {
  const indent = 4 + Math.max(...fields.map(([label]) => label.length))
  return fields
    .map(([label, text]) => {
      const lines = io.isTerminal ? wrapAnsi(text, io.width - indent, { hard: true }) : text
      return `  ${io.color.dim(label.padEnd(indent - 2))}${lines.replaceAll('\n', `\n${' '.repeat(indent)}`)}\n`
    })
    .join('')
}
