import { stringify } from 'csv-stringify/sync'
import type { Grid } from './formats.ts'

/** A first line of names, then the rows; lines end in `\n`. */
export function renderCsv({ titles, rows }: Grid): string {
  const names = titles.map((title) => title.toLowerCase().replace(/[^a-z0-9.]+/g, '_'))
  return stringify([...(names.length > 0 ? [names] : []), ...rows.map((row) => row.map(harmless))], {
    quoted_match: /\r/,
  })
}

/** Spreadsheets compute what begins like a formula; an apostrophe before it makes it text. Numbers stay numbers. */
function harmless(cell: string): string {
  return /^'*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/.test(cell) && !/^-?\d+(\.\d+)?$/.test(cell) ? `'${cell}` : cell
}
