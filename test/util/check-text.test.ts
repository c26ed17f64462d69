import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { checkReportText, checkText } from '../../src/util/check-text.ts'

const toParams = (check: () => void) => {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof ReltError) return error.params
    throw error
  }
}

test.each<[string, unknown, string[]]>([
  ['a lone high surrogate', { a: 'x\ud800' }, ['a']],
  ['a lone low surrogate', { a: [{ b: '\udc00' }] }, ['a.0.b']],
  ['a NUL', { a: { b: 'x\0y' } }, ['a.b']],
  ['a key', { a: { 'x\ud800': 1 } }, ['a.x\ufffd']],
  ['a bare text', '\0', ['body']],
])('names the field with %s', (_, value, names) => {
  expect(Object.keys(toParams(() => checkText(value)) ?? {})).toEqual(names)
})

test('takes every other text', async () => {
  await fc.assert(
    fc.property(fc.jsonValue(), (value) => checkText(JSON.parse(JSON.stringify(value).replaceAll('\\u0000', ' ')))),
  )
  checkText({ a: 'é\u0301😀\u0001\uffff' })
})

const half = fc.constantFrom('\ud83d', '\ude00', '\0', '\\', '"', 'u0000', '\\ud83d', 'a', '😀', '\ud7ff')

test('of a report it refuses exactly what it refuses of its values', async () => {
  await fc.assert(
    fc.property(fc.array(half, { maxLength: 8 }), (parts) => {
      const text = parts.join('')
      for (const json of [JSON.stringify({ a: text }), escaped(text)]) {
        const refused = toParams(() => checkReportText(Buffer.from(json)))
        expect(refused === undefined, json).toBe(toParams(() => checkText(text)) === undefined)
      }
    }),
    { numRuns: 2000 },
  )
})

/** Each character as an escape, in capitals. */
const escaped = (text: string) =>
  `{"a":"${text
    .split('')
    .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}`)
    .join('')}"}`

test('a report that is not UTF-8 is refused', () => {
  expect(toParams(() => checkReportText(Buffer.from([0x22, 0xff, 0x22])))).toEqual({ report: 'must be UTF-8 text' })
})
