import { wrapCell } from '../../render/terminal/wrap.ts'
import type { Io } from './io.ts'

/** Fields of one record, a line each; long values wrap below their start. Texts are plain already. */
export function renderDetails(io: Io, fields: [label: string, text: string][]): string {
  const indent = 4 + Math.max(...fields.map(([label]) => label.length))
  return fields
    .map(([label, text]) => {
      const lines = io.isTerminal ? wrapCell(text, io.width - indent) : text.split('\n')
      return `  ${io.color.dim(label.padEnd(indent - 2))}${lines.join(`\n${' '.repeat(indent)}`)}\n`
    })
    .join('')
}
