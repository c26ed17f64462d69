import { writeCsv } from '../../util/csv.ts'
import { columnKey, type Grid } from './formats.ts'

/** A header line, then the rows. */
export function renderCsv({ titles, rows }: Grid) {
  return writeCsv(titles.length > 0 ? [titles.map(columnKey), ...rows] : rows)
}
