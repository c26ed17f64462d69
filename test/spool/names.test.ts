import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstInOrder, namesIn } from '../../src/spool/names.ts'
import { temporaryFolder } from '../helpers/cli.ts'

test('the first texts in order are those of sorting all', () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.string({ maxLength: 4 }), { maxLength: 60 }),
      fc.integer({ min: 1, max: 20 }),
      (texts, count) => {
        expect(firstInOrder(texts, count)).toEqual(texts.toSorted().slice(0, count))
      },
    ),
  )
})

test('no more than twice the count is held', () => {
  let held = 0
  const sort = Array.prototype.sort
  const texts = function* () {
    for (let number = 1000; number > 0; number--) yield String(number).padStart(4, '0')
  }
  Array.prototype.sort = function (...argv) {
    held = Math.max(held, this.length)
    return sort.apply(this, argv)
  }
  try {
    expect(firstInOrder(texts(), 10)).toEqual(Array.from({ length: 10 }, (_, i) => String(i + 1).padStart(4, '0')))
  } finally {
    Array.prototype.sort = sort
  }
  expect(held).toBe(20)
})

test('a folder is read to its end, and a missing one has no names', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'inner'))
  for (const name of ['a', 'b']) writeFileSync(join(folder, name), '')
  expect([...namesIn(folder)].sort()).toEqual(['a', 'b', 'inner'])
  expect([...namesIn(join(folder, 'none'))]).toEqual([])
  expect(() => [...namesIn(join(folder, 'a'))]).toThrow('ENOTDIR')
})
