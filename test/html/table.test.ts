import { expect, test } from 'vitest'
import { breakable, dated } from '../../src/render/html/markup.ts'
import { table } from '../../src/render/html/table.ts'

test('a name breaks after its separators and stays escaped', () => {
  expect(breakable('quay.io/a&b:v1@<x>').toString()).toBe('quay.io/<wbr>a&amp;b:<wbr>v1@&lt;x&gt;')
})

test('a day does not break after its hyphens, and the text around it stays escaped', () => {
  expect(dated('<b> ended on 2026-10-27.').toString()).toBe('&lt;b&gt; ended on <span class="word">2026-10-27</span>.')
})

test('a column without values is left out', () => {
  const columns = [
    { title: 'Chart', value: (chart: string) => chart },
    { title: 'Note', value: (chart: string) => (chart === 'cart' ? 'renamed' : null) },
  ]
  expect(table(columns, ['shop', 'pay'], { caption: 'Charts' }).toString()).not.toContain('Note')
  expect(table(columns, ['shop', 'cart'], { caption: 'Charts' }).toString()).toContain('data-title="Note">renamed')
  expect(table(columns, ['shop', 'cart'], { caption: 'Charts', most: 1 }).toString()).not.toContain('Note')
})

test('a cell without a value is a dash that blocks leave out, and a text of a dash is none', () => {
  const columns = [
    { title: 'Chart', value: (chart: string | null) => chart },
    { title: 'Pods', value: () => 2, align: 'right' as const },
  ]
  const cells = table(columns, [null, '-'], { caption: 'Charts' })
    .toString()
    .match(/<td[^>]*>-?/g)
  expect(cells).toEqual([
    '<td data-title="Chart" class="none">-',
    '<td data-title="Pods" class="number">',
    '<td data-title="Chart">-',
    '<td data-title="Pods" class="number">',
  ])
})
