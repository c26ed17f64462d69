import { expect, test } from 'vitest'
import { nearest } from '../../src/util/nearest-word.ts'

const known = ['labels', 'subscriptions', 'profiles', 'account']

test.each([
  ['label', 'labels'],
  ['Subscription', 'subscriptions'],
  ['acount', 'account'],
  ['prfoiles', 'profiles'],
  ['webhooks', undefined],
  ['x', undefined],
  ['', undefined],
])('%j probably means %j', (word, meant) => {
  expect(nearest(word, known)).toBe(meant)
})

test('a long word is compared by its beginning', () => {
  expect(nearest('labels'.repeat(100_000), known)).toBeUndefined()
})
