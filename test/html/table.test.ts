import { expect, test } from 'vitest'
import { breakable } from '../../src/html/markup.ts'
import { table } from '../../src/html/table.ts'

test('a name breaks after its separators and stays escaped', () => {
  expect(breakable('quay.io/a&b:v1@<x>').toString()).toBe('quay.io/<wbr>a&amp;b:<wbr>v1@&lt;x&gt;')
})

test('a cell that only has a dash can be left out of blocks', () => {
  const columns = [
    { title: 'Chart', value: (chart: string) => chart },
    { title: 'Pods', value: () => 2, align: 'right' as const },
  ]
  const cells = table(columns, ['-', 'cart'], { caption: 'Charts' })
    .toString()
    .match(/<td[^>]*>/g)
  expect(cells).toEqual([
    '<td data-title="Chart" class="none">',
    '<td data-title="Pods" class="number">',
    '<td data-title="Chart">',
    '<td data-title="Pods" class="number">',
  ])
})
