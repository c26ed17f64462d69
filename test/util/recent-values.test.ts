import { expect, test } from 'vitest'
import { RecentValues } from '../../src/util/recent-values.ts'

test('drops the values that were not used for longest when they become too heavy', () => {
  const values = new RecentValues<number>(10)
  values.set('a', 1, 4)
  values.set('b', 2, 4)
  expect(values.get('a')).toBe(1)
  values.set('c', 3, 4)
  expect(['a', 'b', 'c'].map((key) => values.get(key))).toEqual([1, undefined, 3])
  values.set('a', 5, 6)
  expect(['a', 'c'].map((key) => values.get(key))).toEqual([5, 3])
  values.set('d', 4, 11)
  expect(['a', 'c', 'd'].map((key) => values.get(key))).toEqual([undefined, undefined, undefined])
})
