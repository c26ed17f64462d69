import { writeCsv } from '../../util/csv.ts'
import type { Grid } from './formats.ts'

/** A header line, then the rows. */
export function renderCsv({ titles, rows }: Grid): string {
  const names = titles.map((title) => title.toLowerCase().replace(/[^a-z0-9.]+/g, '_'))
  return writeCsv(names.length > 0 ? [names, ...rows] : rows)
}
