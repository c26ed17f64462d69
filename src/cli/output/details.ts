import { wrapCell } from '../../render/terminal/wrap.ts'
import type { Io } from './io.ts'

/** Fields of one record, one per line; long values wrap with indentation. Texts have no control characters. */
export function renderDetails(io: Io, fields: [label: string, text: string][]): string {
  const indent = 4 + Math.max(...fields.map(([label]) => label.length))
  return fields
    .map(([label, text]) => {
      const lines = io.isTerminal ? wrapCell(text, io.width - indent) : text.split('\n')
      return `  ${io.color.dim(label.padEnd(indent - 2))}${lines.join(`\n${' '.repeat(indent)}`)}\n`
    })
    .join('')
}
