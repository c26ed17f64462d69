import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse, parseDocument, stringify, type ToStringOptions } from 'yaml'
import { type Charts, cutIndex, isJson, parseIndex, parseJsonIndex } from '../../../src/collectors/helm/read-index.ts'
import { createYamlParser } from '../../../src/collectors/helm/yaml.ts'

const fields = ['version', 'appVersion', 'created', 'urls', 'deprecated', 'annotations', 'description']
const names = new Set(['a', 'b-c', 'with.dot', '1'])

const read = (charts: Charts) =>
  Object.fromEntries(
    Array.from(charts, ([name, entries]) => [
      name,
      entries.map((entry) => Object.fromEntries(fields.map((field) => [field, entry(field)]))),
    ]),
  )
const cut = (text: string) => read(cutIndex(Buffer.from(text), names, createYamlParser()))
const whole = (text: string) => read(parseIndex(Buffer.from(text), names, createYamlParser()))

/** What the library says of it, which is not what is tested. */
const expected = (text: string) => chartsIn(parse(text, { schema: 'failsafe' }))

function chartsIn({ entries }: { entries: Record<string, Record<string, unknown>[]> }) {
  const wanted = Object.entries(entries).filter(([name]) => names.has(name))
  return Object.fromEntries(
    wanted.map(([name, list]) => [
      name,
      list.map((entry) => Object.fromEntries(fields.map((field) => [field, entry[field]]))),
    ]),
  )
}

describe('an index in block form is cut as the library reads it', () => {
  const nested = 'entries:\n  a:\n  - version: 1.0.0\n'
  test.each([
    ['lists at the column of their key', `apiVersion: v1\n${nested}  - version: "2.0.0"\n  z:\n  - version: 3\n`],
    ['lists that are indented', 'entries:\n    a:\n        - version: 1.0.0\n          urls:\n              - x\n'],
    ['keys in quotes', `entries:\n  "a":\n    - 'version': '1.0.0'\n  'b-c':\n    - "version": 1\n`],
    [
      'CRLF',
      'apiVersion: v1\r\nentries:\r\n  a:\r\n  - version: 1.0.0\r\n    urls:\r\n    - x\r\n\r\ngenerated: x\r\n',
    ],
    ['comments', '# x\nentries: # x\n# b-c:\n  a: # x\n # x\n  - # x\n    version: 1.0.0 # x\n# y\n    created: x\n'],
    [
      'block scalars',
      'entries:\n  a:\n  - description: |\n      b-c:\n      - version: 9\n\n      # x\n    version: 1.0.0\n',
    ],
    [
      'block scalars that say their indent',
      'entries:\n  a:\n  - description: |2-\n        x\n       y\n    version: 1.0.0\n',
    ],
    ['folded scalars', 'entries:\n  a:\n  - description: >-\n      x\n      y\n\n      z\n    version: 1.0.0\n'],
    [
      'quoted text over lines',
      `entries:\n  a:\n  - description: "x: y\n     version: 2\n\n     \\"z"\n    version: '1''0'\n`,
    ],
    ['plain text over lines', 'entries:\n  a:\n  - description: x\n      y - z\n      # no\n    version: 1.0.0\n'],
    [
      'flow style inside',
      'entries:\n  z: [{version: 1.0.0}]\n  a: [{version: 1.0.0}]\n  b-c:\n  - version: 1\n    urls: [x, "y"]\n',
    ],
    ['an empty list', 'entries:\n  a: []\n  b-c:\n  - version: 1.0.0\n'],
    ['no chart at all', 'entries: {}\n'],
    ['a marker of the document', `---\n${nested}`],
    ['a byte-order mark', `\ufeff${nested}`],
    ['a key in front of the entries', `annotations:\n  entries:\n    a: x\n${nested}`],
    ['the name of a chart that looks like a number', 'entries:\n  1:\n  - version: 1.10\n    appVersion: 007\n'],
    ['fields that are empty', 'entries:\n  a:\n  - version:\n    appVersion: ""\n    created: ~\n'],
    ['an anchor in an entry', 'entries:\n  a:\n  - version: &v 1.0.0\n    annotations:\n      x: &x y\n      z: *x\n'],
    ['a tab behind a colon', 'entries:\n  a:\n  - version:\t1.0.0\t\n    urls:\t# x\n    - x\n'],
    ['no line feed at the end', 'entries:\n  a:\n  - version: 1.0.0'],
    [
      'text that is not ASCII',
      'entries:\n  "ä":\n  - version: 2\n  a:\n  - description: Größe ✓\n    version: 1.0.0\n',
    ],
  ])('%s', (_, text) => {
    expect(whole(text)).toEqual(expected(text))
    expect(cut(text)).toEqual(expected(text))
  })

  const text = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.string({
      unit: fc.constantFrom('a', '\n', ' ', ':', '-', '#', '"', "'", '|', '\t', '1', '&', '*', 'é'),
      maxLength: 60,
    }),
  )
  const entry = fc.record(
    {
      annotations: fc.dictionary(text, text, { maxKeys: 4 }),
      appVersion: fc.oneof(text, fc.constantFrom('1.10', 'true', '~', '2024-01-01', '0x1', '')),
      created: fc.constantFrom('2024-05-01T10:00:00.123456789Z', '2024-05-01T10:00:00+02:00'),
      dependencies: fc.array(fc.record({ name: text, version: text }), { maxLength: 2 }),
      deprecated: fc.constantFrom('true', 'false'),
      description: text,
      urls: fc.array(text, { maxLength: 3 }),
      version: fc.oneof(text, fc.constant('1.0.0')),
    },
    { requiredKeys: ['version'] },
  )
  const index = fc.record({
    apiVersion: fc.constant('v1'),
    annotations: fc.dictionary(text, text, { maxKeys: 2 }),
    entries: fc.dictionary(fc.oneof(fc.constantFrom(...names), text), fc.array(entry, { minLength: 1, maxLength: 4 }), {
      minKeys: 1,
      maxKeys: 4,
    }),
    generated: text,
  })
  const style: fc.Arbitrary<ToStringOptions> = fc.record({
    blockQuote: fc.constantFrom<(boolean | 'literal' | 'folded')[]>(true, false, 'literal', 'folded'),
    defaultStringType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
    defaultKeyType: fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'),
    indent: fc.integer({ min: 1, max: 5 }),
    indentSeq: fc.boolean(),
    lineWidth: fc.constantFrom(0, 20, 80),
  })

  test('whatever it holds and however it is written', () => {
    let refused = 0
    let all = 0
    const property = fc.property(index, style, fc.boolean(), fc.boolean(), (value, options, crlf, hasMark) => {
      const written = `${hasMark ? '---\n' : ''}${stringify(value, { aliasDuplicateObjects: false, ...options })}`
      const shown = crlf ? written.replaceAll('\n', '\r\n') : written
      const document = parseDocument(shown, { schema: 'failsafe', logLevel: 'error' })
      // The library writes some texts so that it cannot read them.
      fc.pre(document.errors.length === 0)
      all++
      let found: ReturnType<typeof cut>
      try {
        found = cut(shown)
      } catch {
        refused++
        return
      }
      expect(found).toEqual(chartsIn(document.toJS()))
    })
    fc.assert(property, { numRuns: 1000 })
    // Odd keys are left to the library; most indexes are not.
    expect(refused / all).toBeLessThan(0.7)
  })

  test('any other text is refused, or read as the library reads it', () => {
    const line = fc.tuple(
      fc.nat(6),
      fc.constantFrom(
        'a:',
        'b-c: x',
        '- version: 1',
        '- a',
        'version: 2',
        '# x',
        '"x',
        "'",
        '|',
        'x',
        '',
        '- - a',
        'urls: [',
        ']',
        '&x a:',
        '*x',
        '---',
        '\tx',
        'k: >',
        '? a',
        ': b',
      ),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const shown = `entries:\n  a:\n  - version: 0\n${lines.map(([indent, rest]) => ' '.repeat(indent) + rest).join('\n')}\n`
        let reference: unknown
        try {
          reference = expected(shown)
        } catch {
          return
        }
        let found: unknown
        try {
          found = cut(shown)
        } catch {
          return
        }
        expect(found).toEqual(reference)
      }),
      { numRuns: 3000 },
    )
  })
})

describe('other forms', () => {
  test('JSON is read as such, and only what is asked for', () => {
    const entries = { a: [{ version: '1.0.0', urls: ['x'] }], z: [{ version: '2.0.0' }] }
    const text = Buffer.from(JSON.stringify({ apiVersion: 'v1', entries }))
    expect(isJson(text)).toBe(true)
    expect(read(parseJsonIndex(text, names))).toEqual({
      a: [expect.objectContaining({ version: '1.0.0', urls: ['x'] })],
    })
  })

  test.each([
    ['an alias to another chart', 'entries:\n  b-c:\n  - &x\n    version: 1.0.0\n  a:\n  - *x\n'],
    ['flow style', '{entries: {a: [{version: 1.0.0}]}}'],
    ['flow style below the entries', 'entries: {a: [{version: 1.0.0}]}'],
    ['a key that is escaped', 'entries:\n  "\\x61":\n  - version: 1.0.0\n'],
    ['a directive', '%YAML 1.2\n---\nentries:\n  a:\n  - version: 1.0.0\n'],
  ])('%s is left to the library', (_, text) => {
    expect(() => cut(text)).toThrow()
    expect(whole(text)).toEqual(expected(text))
    expect(Object.keys(whole(text))).toContain('a')
  })

  const laughs = [
    'x0: &x0 lol',
    ...Array.from({ length: 9 }, (_, i) => `x${i + 1}: &x${i + 1} [${`*x${i}, `.repeat(9)}]`),
  ]
  test.each([
    ['a billion laughs', `${laughs.join('\n')}\nentries:\n  a:\n  - version: *x9\n`],
    [
      'a billion laughs in one entry',
      `entries:\n  a:\n  - version: 1\n    annotations:\n      ${laughs.join('\n      ')}\n`,
    ],
    ['brackets without end', `entries: ${'['.repeat(50_000)}`],
    ['lists without end', `entries:\n  a: ${'- '.repeat(50_000)}`],
    ['too much of another form', `{entries: {a: [{version: "${'1'.repeat(300_000)}"}]}}`],
    ['one value that is too large', `entries:\n  a:\n  - version: 1\n    annotations: "${'\\"'.repeat(200_000)}"\n`],
    ['a chart with too many versions', `entries:\n  a:\n${'  - version: 1\n'.repeat(20_001)}`],
    [
      'an entry with too many fields',
      `entries:\n  a:\n  - version: 1\n${Array.from({ length: 30_000 }, (_, i) => `    f${i}: x\n`).join('')}`,
    ],
    ['two documents', 'entries: {}\n---\nentries: {}\n'],
    ['entries that are a list', 'entries:\n- a\n- b\n'],
    ['entries that are text', 'entries: a\n'],
    ['no entries', 'apiVersion: v1\n'],
    ['nothing', ''],
    ['zeros', '\0'.repeat(1000)],
    ['UTF-16', Buffer.from('entries: {}', 'utf16le').toString('latin1')],
  ])('%s is refused', (_, text) => {
    expect(() => cut(text)).toThrow()
    expect(() => whole(text)).toThrow()
  })
})
