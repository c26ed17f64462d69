import { columnKey, type Grid } from './formats.ts'

/** A header line, then the rows. Tabs, line breaks and backslashes in cells are escaped as `\t`, `\n`, `\\`. */
export function renderTsv({ titles, rows }: Grid): string {
  return [
    ...(titles.length > 0 ? [titles.map(columnKey)] : []),
    ...rows.map((row) => row.map((cell) => cell.replace(/[\\\t\n\r]/g, (letter) => escapes[letter]!))),
  ]
    .map((cells) => `${cells.join('\t')}\n`)
    .join('')
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }
