import { drawSaid } from '../../render/terminal/draw.ts'
import { wrapCell } from '../../render/terminal/wrap.ts'
import type { Detail } from '../../views/view.ts'
import type { Io } from './io.ts'

/** The details of a view as fields. */
export const toFields = (io: Io, details: Detail[]): [label: string, text: string][] =>
  details.map(({ title, lines }) => [title, lines.map((line) => drawSaid(io, line)).join('\n')])

/** Fields of one record, one per line; long values wrap with indentation. Texts have no control characters. */
export function renderDetails(io: Io, fields: [label: string, text: string][]) {
  const indent = 4 + Math.max(...fields.map(([label]) => label.length))
  return fields
    .map(([label, text]) => {
      const lines = io.isTerminal ? wrapCell(text, io.width - indent) : text.split('\n')
      return `  ${io.color.dim(label.padEnd(indent - 2))}${lines.join(`\n${' '.repeat(indent)}`)}\n`
    })
    .join('')
}
