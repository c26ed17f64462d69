import { expect, test } from 'vitest'
import { survey } from '../freshness/steps/whole-catalog.ts'

/** How many of 22,011 releases the newest of the line or of all used to lead into an advisory that they had not. */
const before = 355

test('no step of any release of the catalog leads to a bad release or into an advisory unsaid', () => {
  const { releases, steps, bad, harmful, unsaid, gaining, worst } = survey(1)
  console.log(`${releases} releases, ${steps} steps, ${gaining} of them gain an advisory:\n${worst.join('\n')}`)
  expect({ bad, harmful, unsaid }).toEqual({ bad: [], harmful: [], unsaid: [] })
  expect(gaining).toBeLessThan(before)
})
