import { Writable } from 'node:stream'
import * as fc from 'fast-check'
import stringWidth from 'fast-string-width'
import { expect, test } from 'vitest'
import { createIo } from '../../../src/cli/output/io.ts'
import type { Context } from '../../../src/context.ts'
import { renderTable } from '../../../src/render/terminal/table.ts'
import { plain } from '../../../src/render/terminal/terminal.ts'

const io = (columns: number) => {
  const stream = Object.assign(new Writable(), { isTTY: true, columns })
  return createIo({ env: {}, stdin: stream, stdout: stream, stderr: stream } as unknown as Context, { color: false })
}

const columns = [
  { title: 'Id', value: (row: string[]) => row[0]!, align: 'right' as const },
  { title: 'Name', value: (row: string[]) => row[1]!, min: 8 },
  { title: 'Note', value: (row: string[]) => row[2]!, min: 8, from: 50, cut: true },
]

test('columns are as wide as they must be', () => {
  const rows = [
    ['1', 'one', 'the first'],
    ['20', 'twenty', ''],
  ]
  expect(renderTable(io(80), columns, rows)).toBe('ID  NAME    NOTE\n 1  one     the first\n20  twenty\n')
})

test('the widest column gives way, and a column may be left out', () => {
  const rows = [['1', 'a name of some length', 'a note that is a good deal longer than the name']]
  expect(renderTable(io(50), columns, rows)).toBe(
    'ID  NAME                   NOTE\n 1  a name of some length  a note that is a good…\n',
  )
  expect(renderTable(io(40), columns, rows)).toBe('ID  NAME\n 1  a name of some length\n')
})

test('where a word would break, each row is a block with all its columns that have a value', () => {
  const wide = [
    { title: 'Name', value: (row: string[]) => row[0]! },
    { title: 'Note', value: (row: string[]) => row[1]!, min: 8, from: 100 },
  ]
  const rows = [
    ['a-name-as-long-as-the-terminal-is-wide-and-more', 'words that are broken where a line ends'],
    ['short', ''],
  ]
  expect(renderTable(io(40), wide, rows)).toBe(
    [
      'NAME  a-name-as-long-as-the-terminal-is-',
      '      wide-and-more',
      'NOTE  words that are broken where a line',
      '      ends',
      '',
      'NAME  short',
      '',
      '',
    ].join('\n'),
  )
})

test('columns with a least width of the terminal are left out, the widest first, before words break', () => {
  const columns = [
    { title: 'Cluster', value: () => 'prod-westeurope', min: 4 },
    { title: 'Runs', value: () => '1', from: 40 },
    { title: 'Note', value: () => 'observability', min: 4, from: 40 },
    { title: 'Score', value: () => '81', from: 30 },
  ]
  const titles = (width: number) => renderTable(io(width), columns, [{}]).split('\n', 1)[0]!.split(/ +/)
  expect(titles(43)).toEqual(['CLUSTER', 'RUNS', 'NOTE', 'SCORE'])
  expect(titles(40)).toEqual(['CLUSTER', 'RUNS', 'NOTE', 'SCORE'])
  const long = [{ title: 'Name', value: () => 'a-name-of-some-length' }, ...columns.slice(1)]
  expect(renderTable(io(40), long, [{}]).split('\n', 1)[0]!.split(/ +/)).toEqual(['NAME', 'RUNS', 'SCORE'])
})

test('a word breaks only if it is longer than 24 letters', () => {
  const columns = [
    { title: 'Id', value: (row: string) => row, min: 4 },
    { title: 'State', value: () => 'x'.repeat(20) },
  ]
  const firstLine = (id: string) => renderTable(io(40), columns, [id]).split('\n', 1)[0]!
  expect(firstLine('a'.repeat(18))).toBe('ID                  STATE')
  expect(firstLine('a'.repeat(19))).toBe(`ID     ${'a'.repeat(19)}`)
})

test('wide letters and emoji stay in line', () => {
  const rows = [
    ['1', '日本語', 'x'],
    ['2', '👩‍👩‍👧‍👦 ok', 'x'],
    ['3', 'é', 'x'],
  ]
  const ends = renderTable(io(80), columns, rows).trimEnd().split('\n').slice(1)
  expect(ends.map((line) => stringWidth(line))).toEqual([13, 13, 13])
})

test('a title wraps, no word of a name breaks while there is room, and a number stays with its unit', () => {
  const row = { name: 'registry.example/payments/gateway', behind: '25 rel, 631 d, 2026-10-27' }
  const columns = [
    { title: 'Name', value: () => row.name, min: 4 },
    { title: 'In prod-europe', value: () => 'x', min: 2 },
    { title: 'Behind', value: () => row.behind, min: 4 },
  ]
  expect(renderTable(io(41), columns, [row])).toBe(
    [
      'NAME          IN            BEHIND',
      '              PROD-EUROPE',
      'registry.     x             25 rel,',
      'example/                    631 d,',
      'payments/                   2026-10-27',
      'gateway',
      '',
    ].join('\n'),
  )
})

test.each([
  ['short', 10, 'short'],
  ['exactly-10', 10, 'exactly-10'],
  ['eleven-char', 10, 'eleven-ch…'],
  ['日本語日本語', 6, '日本…'],
  ['日本語日本語', 5, '日本…'],
  ['👍👍👍', 4, '👍…'],
  ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 4, '👩‍👩‍👧‍👦…'],
])('%s cut to %i is %s', (text, width, expected) => {
  const column = { title: 'A', value: () => text, min: 4, cut: true }
  const fixed = { title: 'B', value: () => '-'.repeat(60 - width - 2) }
  const [, row = ''] = renderTable(io(60), [column, fixed], [{}]).split('\n')
  expect(row.replace(/ +-*$/, '')).toBe(expected)
})

test('no row is ever wider than the terminal, and a wrapped cell loses no letter', async () => {
  const letters = (lines: string[]) => lines.join('').replace(/\s/g, '')
  const cell = fc.oneof(
    fc.string({ unit: fc.constantFrom('a', ' ', '日', 'ａ', 'é', 'é', '👩‍👩‍👧‍👦', '🇪🇺', '❤️', '\u200d', '\t', '\n') }),
    fc.lorem(),
  )
  await fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constant('7'), cell, cell), { maxLength: 6 }),
      fc.integer({ min: 40, max: 130 }),
      (rows, width) => {
        const lines = renderTable(io(width), columns, rows).split('\n')
        expect(lines.pop()).toBe('')
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(width)
        const [, ...names] = renderTable(io(width), columns.slice(0, 2), rows).split('\n')
        expect(letters(names.map((line) => line.slice('ID  '.length)))).toBe(
          letters(rows.map(([, name]) => plain(name))),
        )
      },
    ),
    { numRuns: 300 },
  )
})
