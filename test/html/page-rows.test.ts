import { expect, test } from 'vitest'
import { formatCsv, pageRows, showTable } from '../../src/html/pages/page-table.ts'
import { View } from '../../src/html/pages/view.ts'

const viewer = { login: 'ada', nonce: undefined } as unknown as View['viewer']
const numbers = Array.from({ length: 120 }, (_, index) => index + 1)

function show(query: Record<string, string>) {
  const view = new View({ path: '/subscriptions', query, viewer, now: 0 })
  const shown = { id: 'numbers', caption: 'Numbers', json: null, empty: 'None.' }
  const columns = [{ title: 'Number', value: (each: number) => String(each) }]
  const page = String(showTable(view, { ...shown, columns, ...pageRows(view, numbers) }))
  return { page, table: view.tables[0]! }
}

test('a page of a whole list shows its rows and leads to the next ones', () => {
  const { page, table } = show({ page: '2' })
  expect(table.rows).toEqual(numbers.slice(50, 100))
  expect(page).toContain('51 to 100 of 120 rows')
  expect(page).toMatch(/page=1" rel="prev".*page=3" rel="next"/)
  expect(show({ page: '3' }).table.rows).toEqual(numbers.slice(100))
})

test('its download has every row', async () => {
  expect(await formatCsv(show({ page: '2' }).table)).toBe(`number\n${numbers.join('\n')}\n`)
})
