import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { JsonReader, parseJson } from '../../src/util/json.ts'
import { anyCharacter } from '../helpers/any-character.ts'

const bytes = (text: string | number[]): Uint8Array => Buffer.from(text as string)
const parse = (text: string | number[]) => parseJson(bytes(text), 'The text')

/** What it is refused for; only ever `invalid_json`. */
function refusal(read: () => unknown): string | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    expect(error.code).toBe('invalid_json')
    return error.message
  }
}

const nested = (open: string, close: string, levels: number, inside = '') =>
  `${open.repeat(levels)}${inside}${close.repeat(levels)}`
const invalid = expect.stringMatching(/^The text is not valid JSON: .+\.$/)
const tooDeep = 'The text is nested more than 64 levels deep.'

describe('parseJson', () => {
  test.each<[string, string, unknown]>([
    ['an object', '{"a": [1, -2.5e3, true, false, null, "b"]}', { a: [1, -2500, true, false, null, 'b'] }],
    ['a text', '"a\\n\\u00e9 é 😀"', 'a\né é 😀'],
    ['a number', ' 5 ', 5],
    ['null', 'null', null],
    ['a byte-order mark', '\ufeff{"a": 1}', { a: 1 }],
    ['a byte-order mark in a text', '["\ufeff"]', ['\ufeff']],
    ['brackets and quotes in texts', '["[{\\"", "]}\\\\", {"}": "{"}]', ['[{"', ']}\\', { '}': '{' }]],
    ['more brackets in a text than levels', `["${'['.repeat(1000)}"]`, ['['.repeat(1000)]],
    [
      'hostile words as values',
      '{"a": ["__proto__", "constructor", "prototype"]}',
      { a: ['__proto__', 'constructor', 'prototype'] },
    ],
    [
      'keys that look hostile',
      '{"_proto_": 1, "constructors": 2, "Prototype": 3}',
      { _proto_: 1, constructors: 2, Prototype: 3 },
    ],
    ['64 levels of lists', nested('[', ']', 64), JSON.parse(nested('[', ']', 64))],
    ['64 levels of objects', nested('{"a":', '}', 64, '1'), JSON.parse(nested('{"a":', '}', 64, '1'))],
  ])('reads %s', (_, text, value) => {
    expect(parse(text)).toEqual(value)
  })

  test.each<[string, string | number[], unknown]>([
    ['nothing', '', 'The text is empty.'],
    ['space', ' \n\t\r ', 'The text is empty.'],
    ['a byte-order mark alone', '\ufeff', 'The text is empty.'],
    ['two byte-order marks', '\ufeff\ufeff{}', invalid],
    ['Latin-1', [0x22, 0xe9, 0x22], expect.stringMatching(/UTF-8/)],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0, 0x7d, 0], invalid],
    ['half a letter', [0x22, 0xf0, 0x9f, 0x98, 0x22], expect.stringMatching(/UTF-8/)],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], expect.stringMatching(/UTF-8/)],
    ['a letter written too long', [0x22, 0xc0, 0x80, 0x22], expect.stringMatching(/UTF-8/)],
    ['bytes after the end', [0x7b, 0x7d, 0xff], invalid],
    ['text after the end', '{} {}', invalid],
    ['an end that is too early', '{"a": [1', invalid],
    ['a text without an end', '["a', invalid],
    ['a text that ends in an escape', '["a\\"', invalid],
    ['a closing bracket first', ']', invalid],
    ['brackets that do not match', '[}', invalid],
    ['a comma too many', '[1,]', invalid],
    ['a key without quotes', '{a: 1}', invalid],
    ['a comment', '{} // x', invalid],
    ['NaN', '[NaN]', invalid],
    ['a line break in a text', '"a\nb"', invalid],
    ['65 levels of lists', nested('[', ']', 65), tooDeep],
    ['65 levels of objects', nested('{"a":', '}', 65, '1'), tooDeep],
    ['100,000 levels of lists', nested('[', ']', 100_000), tooDeep],
    ['100,000 levels of objects', nested('{"a":', '}', 100_000, '1'), tooDeep],
    ['100,000 levels without an end', '[{"a":'.repeat(100_000), tooDeep],
  ])('refuses %s', (_, text, message) => {
    expect(refusal(() => parse(text))).toEqual(message)
  })

  test.each([
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['prototype', 'prototype'],
    ['\\u005f\\u005fproto__', '__proto__'],
    ['\\u005F_prot\\u006f__', '__proto__'],
    ['const\\u0072uctor', 'constructor'],
    ['p\\u0072ototype', 'prototype'],
  ])('refuses the key "%s" at any depth', (written, key) => {
    const hostile = `{"${written}": {"polluted": true}}`
    for (const text of [
      hostile,
      `[${hostile}]`,
      `{"a": 1, "b": [[], {"c": ${hostile}}]}`,
      nested('[', ']', 62, hostile),
    ]) {
      expect(refusal(() => parse(text))).toBe(`The text has a key named "${key}".`)
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test.each(['', '"', '\\', '\\"', '"\\', 'ü"', '{', '],'])('reads texts of any length that end with %j', (end) => {
    const texts = Array.from({ length: 9 }, (_, length) => `${'x'.repeat(length)}${end}`)
    for (const indent of [0, 1, 4, 9]) expect(parse(JSON.stringify([texts], null, indent))).toEqual([texts])
    for (const text of texts) expect(refusal(() => parse(JSON.stringify(text).slice(0, -1)))).toEqual(invalid)
  })

  const anyJson = fc
    .tuple(fc.jsonValue({ stringUnit: anyCharacter }), fc.nat(10))
    .map(([value, indent]) => JSON.stringify(value, null, indent))
  const damaged = fc
    .tuple(
      anyJson,
      fc.nat(),
      fc.nat(3),
      fc.constantFrom('', '{', '}', '[', ']', '"', ',', ':', '\\', ' ', '1', '\ufeff', '/'),
    )
    .map(([text, at, length, insert]) => {
      const start = at % (text.length + 1)
      return text.slice(0, start) + insert + text.slice(start + length)
    })

  test.each([
    ['JSON', anyJson],
    ['damaged JSON', damaged],
    ['text', fc.string()],
    ['object with a key twice', fc.constant('{"a": {"b": 1, "b": 2}}')],
  ])('reads any %s as JSON.parse does, or refuses it', (_, texts) => {
    fc.assert(
      fc.property(texts as fc.Arbitrary<string>, (text) => {
        const wellFormed = text.toWellFormed().replace(/^\ufeff/, '')
        const outcome = (read: () => unknown) => {
          try {
            return { value: read() }
          } catch {
            return 'refused'
          }
        }
        const message = refusal(() => parse(text))
        if (message && /has (a key named|the key ".*" twice|a key twice)/s.test(message)) return
        if (message === undefined) expect(outcome(() => parse(text))).toEqual(outcome(() => JSON.parse(wellFormed)))
        else expect(outcome(() => JSON.parse(wellFormed))).toBe('refused')
      }),
      { numRuns: 2000 },
    )
  })

  test('reads any bytes or refuses them', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 50 }), (some) => void refusal(() => parseJson(some, 'The text'))))
  })
})

describe('JsonReader', () => {
  const read = <T>(text: string, with_: (reader: JsonReader) => T): T => with_(new JsonReader(bytes(text), 'The text'))

  function membersFor(reader: JsonReader, use: (key: string) => boolean = () => true): [string, unknown][] {
    const found: [string, unknown][] = []
    for (const key of reader.members()) found.push([key, use(key) ? reader.value() : undefined])
    reader.end()
    return found
  }

  test('gives members in their order, with or without their values', () => {
    const text = '\ufeff { "b" : 1 , "a" : { "c" : [ ] } , "d":null } '
    expect(read(text, membersFor)).toEqual([
      ['b', 1],
      ['a', { c: [] }],
      ['d', null],
    ])
    expect(read(text, (reader) => membersFor(reader, () => false).map(([key]) => key))).toEqual(['b', 'a', 'd'])
    expect(read('{}', membersFor)).toEqual([])
  })

  test('reads members of members', () => {
    const found = read('{"a": {"b": 1, "c": {}}, "d": 2}', (reader) => {
      const keys: string[] = []
      for (const key of reader.members()) {
        keys.push(key)
        if (reader.isObject()) for (const inner of reader.members()) keys.push(`${key}.${inner}`)
      }
      reader.end()
      return keys
    })
    expect(found).toEqual(['a', 'a.b', 'a.c', 'd'])
  })

  test('parses a list in pieces', () => {
    const hasNoRefusedKey = (value: unknown) => !/"(__proto__|constructor|prototype)":/.test(JSON.stringify(value))
    const list = fc.array(fc.jsonValue({ maxDepth: 2 }).filter(hasNoRefusedKey), { maxLength: 20 })
    fc.assert(
      fc.property(
        list,
        fc.integer({ min: 0, max: 20_000 }),
        fc.constantFrom('', ' ', '\n'),
        (values, length, space) => {
          const all = values.flatMap((value) => [value, 'é'.repeat(length)])
          const text = `{"list":${space}[${all.map((value) => `${space}${JSON.stringify(value)}${space}`).join()}]${space},"b":2}`
          const pieces = read(text, (reader) => {
            let batches: (() => unknown[])[] = []
            const members = membersFor(reader, (key) => {
              if (key === 'list') batches = reader.batches()
              return key === 'b'
            })
            expect(members).toEqual([
              ['list', undefined],
              ['b', 2],
            ])
            return batches.map((parse) => parse())
          })
          expect(pieces.flat()).toEqual(JSON.parse(JSON.stringify(all)))
          const lettersAtOnce = Math.max(0, ...pieces.map((piece) => JSON.stringify(piece).length))
          expect(lettersAtOnce).toBeLessThan(100_000)
        },
      ),
    )
  })

  test.each<[string, string, unknown]>([
    ['an object', '{"a": 1}', invalid],
    ['no comma', '[1 2]', invalid],
    ['a comma at the end', '[1,]', invalid],
    ['a comma alone', '[,]', invalid],
    ['no end', '[1, 2', invalid],
    ['the wrong end', '[1, 2}', invalid],
    ['the wrong end of a value', '[{"a": 1], 2]', invalid],
    ['an end too many', '[1]]', invalid],
    ['a value that is no JSON', '[1, x]', "The text is not valid JSON: Unexpected token 'x' (after byte 1)."],
    ['a hostile key', '[{}, {"__proto__": 2}]', 'The text has a key named "__proto__".'],
    ['65 levels', `[${nested('[', ']', 65)}]`, tooDeep],
  ])('refuses a list in pieces with %s', (_, text, message) => {
    const parsed = () =>
      read(text, (reader) => {
        const batches = reader.batches()
        reader.end()
        for (const parse of batches) parse()
      })
    expect(refusal(parsed)).toEqual(message)
  })

  test('gives the text of a value that is not looked into', () => {
    const found = read('{"a": {"b" : [1, 2]} , "c": 3}', (reader) => {
      const texts: string[] = []
      for (const _ of reader.members()) texts.push(Buffer.from(reader.skip()).toString())
      return texts
    })
    expect(found).toEqual(['{"b" : [1, 2]}', '3'])
  })

  test.each<[string, string, unknown]>([
    ['a key twice', '{"a": 1, "b": 2, "a": 3}', 'The text has the key "a" twice.'],
    ['a key twice, once escaped', '{"a": 1, "\\u0061": 3}', 'The text has the key "a" twice.'],
    ['a hostile key', '{"a": 1, "__proto__": 2}', 'The text has a key named "__proto__".'],
    ['a hostile key that is escaped', '{"\\u005f\\u005fproto__": 2}', 'The text has a key named "__proto__".'],
    ['a hostile key in a value', '{"a": [{"constructor": 2}]}', 'The text has a key named "constructor".'],
    ['a list', '[1]', invalid],
    ['no colon', '{"a" 1}', invalid],
    ['no comma', '{"a": 1 "b": 2}', invalid],
    ['a comma at the end', '{"a": 1,}', invalid],
    ['no value', '{"a": }', invalid],
    ['no end', '{"a": 1', invalid],
    ['an end too many', '{"a": 1}}', invalid],
    ['a key that is no text', '{1: 1}', invalid],
    ['65 levels below a member', `{"a": ${nested('[', ']', 65)}}`, tooDeep],
  ])('refuses members with %s, read or not', (_, text, message) => {
    expect(refusal(() => read(text, membersFor))).toEqual(message)
    expect(refusal(() => read(text, (reader) => membersFor(reader, () => false)))).toEqual(message)
  })
})
