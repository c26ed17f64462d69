import { drawColumns, paint } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { andMore } from '../../../util/words.ts'
import type { ChangeTable } from '../../../views/comparison.ts'
import { findingTables } from '../../../views/finding-tables.ts'
import type { Io } from '../../output/io.ts'
import { linesIn } from '../../output/print.ts'

/** Maximum findings of each kind, unless the terminal height determines it. */
const usualLimit = 15
/** Lines for the prompt, and remarks after the tables. */
const linesBelow = 3

/**
 * One table for each kind of change, with at most `limit` findings. If they do not fit on the screen below the lines above
 * them, one table with one line per finding, cut to the height.
 */
export function drawChanges(
  io: Io,
  tables: ChangeTable[],
  { limit, linesAbove }: { limit: number | undefined; linesAbove: number },
) {
  const apart = drawApart(io, tables, limit ?? usualLimit)
  const room = io.height - linesAbove - linesBelow
  if (!io.isTerminal || io.height === 0 || limit !== undefined || linesIn(apart) <= room) return apart
  return drawTogether(io, tables, limitsFor(tables, room)) ?? apart
}

/**
 * Distributes the lines; the first kinds matter most. Each kind has a heading, an empty line and at least one row; all share
 * one header. Remaining rows go to the first kinds.
 */
function limitsFor(tables: ChangeTable[], room: number) {
  let left = room - 1 - 3 * tables.length
  return tables.map(({ rows }) => {
    const more = Math.max(0, Math.min(Math.min(rows.length, usualLimit) - 1, left))
    left -= more
    return 1 + more
  })
}

/** Undefined if rows would need several lines, or two would look the same. */
function drawTogether(io: Io, tables: ChangeTable[], limits: number[]) {
  const shown = tables.map(({ rows }, i) => rows.slice(0, limits[i]))
  const text = renderTable(io, drawColumns(io, findingTables.changesInLines), shown.flat())
  const [titles, ...lines] = text.trimEnd().split('\n')
  if (lines.length !== shown.flat().length) return undefined
  let from = 0
  const parts = shown.map((rows, i) => {
    const own = lines.slice(from, from + rows.length)
    from += rows.length
    return {
      own,
      text: `\n${formatHeading(io, tables[i]!, rows.length)}\n${i === 0 ? `${titles}\n` : ''}${own.join('\n')}\n`,
    }
  })
  const areAlike = parts.some(({ own }) => new Set(own).size < own.length)
  return areAlike ? undefined : parts.map(({ text }) => text).join('')
}

function drawApart(io: Io, tables: ChangeTable[], limit: number) {
  return tables
    .map((table) => {
      const rows = table.rows.slice(0, limit)
      return `\n${formatHeading(io, table, rows.length)}\n${renderTable(io, drawColumns(io, table.columns), rows)}`
    })
    .join('')
}

function formatHeading(io: Io, { heading, tone, rows }: ChangeTable, shown: number) {
  const rest = rows.length - shown
  const more = rest > 0 ? io.color.dim(`  ${andMore(rest)}: --limit ${rows.length}`) : ''
  return `${io.color.bold(paint(io, tone)(heading))}${more}`
}
