import { expect, test } from 'vitest'
import { survey } from './whole-catalog.ts'

// The stress tests ask all of the 41,860.
test('no step of 2,000 releases of the catalog leads to a bad release or into an advisory unsaid', () => {
  const { releases, steps, bad, harmful, unsaid, gaining } = survey(20)
  expect(releases).toBeGreaterThan(2000)
  expect(steps).toBeGreaterThan(releases * 2)
  expect({ bad, harmful, unsaid }).toEqual({ bad: [], harmful: [], unsaid: [] })
  expect(gaining).toBeLessThan(steps / 200)
})
