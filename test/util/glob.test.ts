import fc from 'fast-check'
import { expect, test } from 'vitest'
import { globMatcher } from '../../src/util/glob.ts'

test.each([
  ['shop', 'shop', true],
  ['shop', 'shop-2', false],
  ['shop-*', 'shop-', true],
  ['*', '', true],
  ['pod/*', 'pod/web', true],
  ['*/web', 'pod/web', true],
  ['a*b*c', 'a-b-b-c', true],
  ['a*b*c', 'a-c-b', false],
  ['ab*ba', 'aba', false],
  ['a*b*b', 'ab', false],
  ['**', 'x', true],
  ['a.c', 'abc', false],
  ['', 'x', false],
])('%j on %j: %s', (pattern, text, matches) => {
  expect(globMatcher(pattern)(text)).toBe(matches)
})

test('a pattern matches what the expression of the same meaning matches', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 12 })
  const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 6 })
  fc.assert(
    fc.property(pattern, letters, (glob, text) => {
      const expression = new RegExp(`^${glob.replaceAll('*', '.*')}$`)
      expect(globMatcher(glob)(text)).toBe(expression.test(text))
    }),
    { numRuns: 3000 },
  )
})
