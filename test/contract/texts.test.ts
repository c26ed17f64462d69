import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { toJsonSchema } from '../../src/contract/json-schema.ts'
import { type Route, routes } from '../../src/contract/routes.ts'

const words = [
  '',
  'high',
  'prod',
  'UTC',
  '2026-01-02',
  'CVE-2026-1234',
  'GHSA-qppj-fm5r-hxr3',
  'crun_a',
  'app',
  '08:00-09:00',
]
const around = (word: string) => [
  ` ${word}`,
  `${word}\n`,
  `\t${word}`,
  `${word}\u0085`,
  `\ufeff${word}`,
  `${word}${' '.repeat(2001)}`,
]
const ajv = new Ajv2020({ strict: false, unicodeRegExp: true, validateFormats: false })

const fields = (Object.entries(routes) as [string, Route][]).flatMap(([name, route]) =>
  Object.entries({ ...route.query.shape, ...(route.body && 'shape' in route.body && route.body.shape) }).map(
    ([field, shape]) => [name, field, shape as z.core.$ZodType] as const,
  ),
)

test('a text that the document allows is refused with blanks or controls around it, or the document allows that, too', () => {
  const wrong = fields.flatMap(([name, field, shape]) => {
    const validate = ajv.compile(toJsonSchema(shape, 'input'))
    const isAllowed = (text: string): boolean => validate(text)
    // An id that no document allows may still be asked for: it answers 404.
    const texts = words.filter((word) => isAllowed(word)).flatMap(around)
    return texts
      .filter((text) => z.safeParse(shape as z.ZodMiniType, text).success && !isAllowed(text) && !isNumberOrFlag(shape))
      .map((text) => [name, field, text.slice(0, 30)])
  })
  expect(fields.length).toBeGreaterThan(100)
  expect(wrong).toEqual([])
})

/** In an address, numbers and flags are texts, too. */
function isNumberOrFlag(shape: z.core.$ZodType): boolean {
  return /"type":"(integer|number|boolean)"/.test(JSON.stringify(toJsonSchema(shape, 'input')))
}
