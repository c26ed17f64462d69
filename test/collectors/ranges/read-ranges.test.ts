import { describe, expect, test } from 'vitest'
import { builtIn } from '../../../src/catalog/bundle.ts'
import { rangeFilesOf } from '../../../src/catalog/range-sources.ts'
import { readPublishedRanges } from '../../../src/collectors/ranges/read-ranges.ts'
import type { RangeSource } from '../../../src/upgrade/range-source.ts'

const within = String.raw`^\| Tool +\| Kubernetes +\|\n(?:\|.*\n?)+`
const row = String.raw`^\| (?<line>\d+\.\d+|newest)(?:\.x|\.(?<patch>\d+))? +\| (?<versions>[^|]+?) +\|$`
const table: RangeSource = { slug: 'tool', kind: 'supported', rows: 1, within, row }

/** `1.2 1.30-1.33`, `1.2 from 1.2.3 1.30-` */
const brief = (file: string, source: RangeSource) =>
  readPublishedRanges(file, source)?.map(
    ({ line, from_patch, kubernetes_min: min, kubernetes_max: max }) =>
      `${line}${from_patch === undefined ? '' : ` from ${from_patch}`} ${min ?? ''}-${max ?? ''}`,
  )

const rows = (...kubernetes: string[]) =>
  ['| Tool | Kubernetes |', '|---|---|', ...kubernetes.map((words, index) => `| 1.${index} | ${words} |`)].join('\n')

describe('a table', () => {
  test('gives a range for each line, with the text that states it', () => {
    expect(
      readPublishedRanges(
        `# Tool\n\n| Tool  | Kubernetes |\n|:--|--:|\n| 1.3.x   | v1.31 - v1.33 |\n\n${rows('1.9')}`,
        table,
      ),
    ).toEqual([
      {
        ...{ slug: 'tool', kind: 'supported', line: '1.3', kubernetes_min: '1.31', kubernetes_max: '1.33' },
        text: '| 1.3.x | v1.31 - v1.33 |',
      },
    ])
  })

  test.each([
    ['1.30 → 1.33', '1.30-1.33'],
    ['v1.33, v1.32, v1.31', '1.31-1.33'],
    ['1.31.7, 1.32.3, and 1.33.0', '1.31-1.33'],
    ['1.18-latest', '1.18-'],
    ['1.16+', '1.16-'],
    ['v1.16.x to v1.21.x', '1.16-1.21'],
    ['`1.9`', '1.9-1.9'],
    ['v1.17.0 or above', '1.17-'],
    ['**v1.22** through **v1.28**', '1.22-1.28'],
    ['"1.24", "1.25"', '1.24-1.25'],
  ])('words a range as %s', (words, range) => {
    expect(brief(rows(words), table)).toEqual([`1.0 ${range}`])
  })

  test('is read in AsciiDoc, in reStructuredText and in a shortcode of Hugo', () => {
    const asciiDoc = {
      ...table,
      within: String.raw`^\|Tool \|Kubernetes\n[\s\S]*?^\|===`,
      row: String.raw`^\|(?<line>[\d.]+) \|(?<versions>.+)$`,
    }
    expect(
      brief('|===\n|Tool |Kubernetes\n\n|1.2 |1.30 - 1.32\n\n|1.3 |1.31+\n|===\n\n|1.9 |1.99\n', asciiDoc),
    ).toEqual(['1.2 1.30-1.32', '1.3 1.31-'])
    const grid = { ...table, within: String.raw`^\| Tool +\| Kubernetes +\|\n(?:[+|].*\n)+` }
    expect(
      brief('+------+---+\n| Tool | Kubernetes |\n+======+===+\n| 1.2  | 1.30, 1.31 |\n+------+---+\n', grid),
    ).toEqual(['1.2 1.30-1.31'])
    expect(brief(`{{< keyval >}}\n\n${rows('1.30')}\n\n{{< /keyval >}}\n`, table)).toEqual(['1.0 1.30-1.30'])
  })

  test('has the least and the greatest version in two columns', () => {
    const two = { ...table, row: String.raw`^\| (?<line>\S+) +\| (?<versions>[^|]+\|[^|]+?) +\|$` }
    expect(brief(`${rows()}\n| 2.10 | 1.21 | 1.28 |`, two)).toEqual(['2.10 1.21-1.28'])
  })

  test('leaves out lists with a gap, which are no range', () => {
    expect(brief(rows('1.30', '1.30, 1.31, 1.33', '1.33, 1.30, 1.32, 1.31'), table)).toEqual([
      '1.0 1.30-1.30',
      '1.2 1.30-1.33',
    ])
  })

  test('gives later releases of a line a range of their own', () => {
    expect(brief(`${rows()}\n| 1.2.2 | 1.25-1.35 |\n| 1.2.0 | 1.25-1.33 |\n`, table)).toEqual([
      '1.2 from 1.2.2 1.25-1.35',
      '1.2 1.25-1.33',
    ])
  })
})

test('a table of marks gives the marked versions', () => {
  const file = `| stack | Kubernetes 1.31 | Kubernetes 1.32 | Kubernetes 1.33 |
|---|---|---|---|
| \`release-0.14\` | ✔ | ✔ | x |
| \`release-0.15\` | x | ✔ | ✔ |
| \`main\` | x | x | ✔ |`
  const marks = {
    ...table,
    within: String.raw`^\| stack \|(?: Kubernetes 1\.\d+ \|)+\n(?:\|.*\n?)+`,
    row: '^\\| `release-(?<line>[^`]+)` .*$',
    mark: '✔',
  }
  expect(brief(file, marks)).toEqual(['0.14 1.31-1.32', '0.15 1.32-1.33'])
  expect(brief(file.replaceAll('✔', 'yes'), marks)).toBeUndefined()
})

test('a row of first releases gives the newest Kubernetes of each line', () => {
  const file = `| Kubernetes | 1.29 | 1.30 | 1.31 | 1.32 |
|---|---|---|---|---|
| tool | \\>= 0.34 | \\>= 0.36 | \\>= 1.0.5 | \\>= 1.2 |`
  const { row: _, ...first } = {
    ...table,
    within: String.raw`^\| Kubernetes \|(?: 1\.\d+ \|)+\n\|[-|]+\|\n\| tool \|(?: \\>= [\d.]+ \|)+`,
    lines: ['0.35', '1.0', '1.3', '0.9'],
  }
  expect(brief(file, first)).toEqual([
    ...['0.34 -1.29', '0.36 -1.30', '1.0 from 1.0.5 -1.31', '1.2 -1.32'],
    ...['0.35 -1.29', '1.0 -1.30', '1.3 -1.32'],
  ])
  expect(brief(file.replace('| tool |', '| other |'), first)).toBeUndefined()
})

test('entries in YAML or JSON are read', () => {
  const yaml =
    'bridge:\n  - version: 9.9.0\noperator:\n  - version: 1.10.1\n    kafka: 4\n    k8s: 1.27 - 1.30\n  - version: 0.9.0\n    kafka: 3\n'
  const entries = {
    ...table,
    within: String.raw`^operator:\n(?: .*\n)+`,
    row: String.raw`^  - version: (?<line>\d+\.\d+)\.(?<patch>\d+)\n(?:    (?!k8s).*\n){0,5}?    k8s: (?<versions>.+)$`,
  }
  expect(brief(yaml, entries)).toEqual(['1.10 from 1.10.1 1.27-1.30'])
  const json = {
    ...table,
    within: String.raw`^\[.*\]`,
    row: '"version": "(?<line>[^"]+)", "k8s": \\[(?<versions>[^\\]]+)\\]',
  }
  expect(brief('[{"version": "1.2", "k8s": ["1.31", "1.30"]}]', json)).toEqual(['1.2 1.30-1.31'])
})

test('a list is about the line of its file', () => {
  const bullets = {
    ...table,
    within: String.raw`^We test.*\n\n(?:\* 1\.\d+\n)+`,
    row: String.raw`^\* (?<versions>[\d.\n* ]+)`,
    lines: ['1.4'],
  }
  const file = 'Kubernetes\n* 1.10\n\nWe test against these:\n\n* 1.29\n* 1.30\n* 1.31\n\n* 1.99\n'
  expect(readPublishedRanges(file, bullets)).toMatchObject([
    { line: '1.4', kubernetes_min: '1.29', kubernetes_max: '1.31', text: '* 1.29 * 1.30 * 1.31 ' },
  ])
})

describe('a file is refused as a whole', () => {
  const good = rows('1.30', '1.31', '1.32')

  test.each<[what: string, file: string, source?: RangeSource]>([
    ['without its heading', good.replace('| Kubernetes |', '| Cluster |')],
    ['with its columns moved', '| Kubernetes | Tool |\n|---|---|\n| 1.30 - 1.31 | 1.2 |'],
    ['with its columns moved below the headings', `${rows()}\n| 1.30 - 1.31 | 1.2 |`],
    ['with a row less', rows('1.30', '1.31'), { ...table, rows: 3 }],
    ['with a version that is none', rows('1.30', 'latest')],
    ['with another word', rows('1.30 (experimental)')],
    ['with a version of four numbers', rows('1.30.1.2')],
    ['with versions that nothing separates', rows('1.301.31')],
    ['with a version of another product', rows('4.20')],
    ['with a release that is none', good.replace('| 1.2 |', '| newest |')],
    ['that is a web page', '<!DOCTYPE html>\n<html><body><h1>Sign in</h1></body></html>\n'],
    ['that is too large', `${good}\n${' '.repeat(300 * 1024)}`],
    ['whose rows are too long', rows(`1.30${' '.repeat(1000)}`)],
    ['that is empty', ''],
  ])('%s', (_, file, source = table) => {
    expect(readPublishedRanges(file, source)).toBeUndefined()
  })

  test('but not before: the same file is read', () => {
    expect(brief(good, { ...table, rows: 3 })).toHaveLength(3)
  })
})

describe('the bundled sources', () => {
  const files = rangeFilesOf(builtIn)
  const sources = files.flatMap(({ read }) => read)

  test('name each file once, with its page, and what each pattern finds', () => {
    expect(new Set(files.map(({ at }) => at)).size).toBe(files.length)
    expect(new Set(sources.map(({ slug }) => slug)).size).toBe(16)
    for (const { at, page, read } of files) {
      expect(at).toMatch(/^[\w.-]+\/[\w.-]+\/[\w.-]+\/[^{}\s]+$/)
      expect(page).toBe(`https://github.com/${at.replace(/^([^/]+\/[^/]+)\//, '$1/blob/')}`)
      for (const { row, mark, lines } of read) {
        expect(row ?? 'versions').toMatch(mark === undefined ? 'versions' : 'line')
        expect(row?.includes('(?<line>') || lines !== undefined).toBe(true)
      }
    }
  })

  test.each([
    '* 1.',
    'a ',
    '| 1.30 ',
    '|',
    '[[',
    '1.1',
    '<',
    '1.2, ',
    '\\>= 1.',
    '    a: b\n',
    '  - version: 1.2.3\n',
    '| Release |\n',
  ])('end, whatever repeats: %j', (attack) => {
    const text = attack.repeat(Math.floor((250 * 1024) / attack.length))
    const lines = text.replaceAll(/.{990}/g, '$&\n')
    const cells = `| Tool | Kubernetes |\n| 1.2 | ${attack.repeat(990 / attack.length)} |`
    for (const source of [...sources, table]) {
      for (const file of [text, lines, cells]) expect(readPublishedRanges(file, source)).toBeUndefined()
      for (const begin of ['operator:\n', '- version: "master"\n', 'All Kubernetes versions listed are e2e tested\n'])
        readPublishedRanges(begin + lines, source)
    }
  })
})
