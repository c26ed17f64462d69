import { expect, test } from 'vitest'
import { renderCsv } from '../../../src/cli/output/csv.ts'
import { toGrid } from '../../../src/cli/output/grid.ts'
import { createColor } from '../../../src/render/terminal/color.ts'
import { renderTable } from '../../../src/render/terminal/table.ts'

const io = { isTerminal: false, width: 80, color: createColor(false) } as never
const columns = [{ title: 'Owner', value: ({ owner }: { owner: string | null }) => owner }]
const rows = [{ owner: null }, { owner: '-' }, { owner: 'shop' }]

test('a cell without a value is empty in data and a hyphen in a table, and the text of a hyphen stays', () => {
  const grid = toGrid(io, 0, { body: {}, rows, columns: () => columns })
  expect(grid.rows).toEqual([[''], ['-'], ['shop']])
  expect(renderCsv(grid)).toBe("owner\n\n'-\nshop\n")
  expect(renderTable(io, columns, rows)).toBe('OWNER\n-\n-\nshop\n')
})
