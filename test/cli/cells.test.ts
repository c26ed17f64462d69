import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderCsv } from '../../src/cli/output/csv.ts'
import { renderMarkdown } from '../../src/cli/output/markdown.ts'

const hostile = fc.string({
  unit: fc.oneof(
    fc.constantFrom(...'=+-@\'"\t\r\n,;|\\`*_[]<>&~ a1.', '<br>', '日', '👩‍👩‍👧‍👦', '\u001b[2J', '\u202e', '＝'),
    fc.string({ minLength: 1, maxLength: 1 }),
  ),
})
const rows = fc.array(fc.tuple(hostile, hostile), { maxLength: 5 })
const grid = (cells: string[][]) => ({
  titles: ['Name', 'Last used'],
  aligns: [undefined, 'right' as const],
  rows: cells,
})

test('CSV is read back as it was, once the apostrophe before formulas is taken off', async () => {
  await fc.assert(
    fc.property(rows, (cells) => {
      const [names, ...read] = parseCsv(renderCsv(grid(cells)))
      expect(names).toEqual(['name', 'last_used'])
      expect(read.map((row) => row.map((cell) => cell.replace(/^'(?='*[=+\-@＝＋－＠\t\r\n])/, '')))).toEqual(cells)
      for (const cell of read.flat()) expect(cell).not.toMatch(/^[=+@\t\r\n＝＋－＠]|^-(?!\d+(\.\d+)?$)/)
    }),
  )
})

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['-2', '-2'],
  ['-2.5', '-2.5'],
  ['-2+3', "'-2+3"],
  ['a,b', '"a,b"'],
  ['say "x"', '"say ""x"""'],
  ['two\nlines', '"two\nlines"'],
])('the CSV of %j is %j', (cell, expected) => {
  expect(renderCsv({ titles: ['A'], aligns: [undefined], rows: [[cell]] })).toBe(`a\n${expected}\n`)
})

test('a Markdown table has as many cells as it should, and each reads as it was', async () => {
  await fc.assert(
    fc.property(rows, (cells) => {
      const lines = renderMarkdown(grid(cells)).split('\n')
      expect(lines.pop()).toBe('')
      expect(lines.slice(0, 2)).toEqual(['| Name | Last used |', '| --- | ---: |'])
      expect(lines.slice(2).map(parseMarkdownRow)).toEqual(cells.map((row) => row.map(asOneReads)))
    }),
  )
})

test.each([
  ['a|b', 'a\\|b'],
  ['<script>', '\\<script\\>'],
  ['[x](y)', '\\[x\\](y)'],
  ['two\nlines', 'two<br>lines'],
  ['https://a.example/b_c', '<https://a.example/b_c>'],
  ['https://a.example/b|c', 'https://a.example/b\\|c'],
])('the Markdown of %j is %j', (cell, expected) => {
  const last = renderMarkdown({ titles: ['A'], aligns: [undefined], rows: [[cell]] }).split('\n')[2]
  expect(last).toBe(`| ${expected} |`)
})

/** A reader of CSV, written from RFC 4180. */
function parseCsv(text: string): string[][] {
  const read: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\n\r]*))(,|\n)/y
  for (;;) {
    const match = cell.exec(text)
    if (!match) return read
    row.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === '\n') {
      read.push(row)
      row = []
    }
  }
}

/** Cells end at bars that are not escaped; `<br>` that is not escaped is a new line. */
function parseMarkdownRow(line: string): string[] {
  const cells = line.slice(1, -1).match(/(?:\\.|[^|\\])+/g)!
  return cells.map((cell) =>
    cell
      .trim()
      .replace(/^<(https?:.*)>$/, '$1')
      .replace(/\\(.)|<br>/g, (_, letter: string | undefined) => letter ?? '\n'),
  )
}

/** Space at the ends goes, and what is no text is a space. */
function asOneReads(cell: string): string {
  const control =
    /(?:(?![\ufe0e\ufe0f])(?!(?<=\p{Extended_Pictographic}\ufe0f?)\u200d\p{Extended_Pictographic})[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb\ufffe\uffff])+/gu
  return cell
    .split(/\r?\n/)
    .map((line) => line.replace(control, ' '))
    .join('\n')
    .trim()
}
