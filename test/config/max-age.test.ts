import { expect, test } from 'vitest'
import { readMaxAge } from '../../src/config/max-age.ts'

test.each([
  [{}, undefined],
  [{ RELT_CATALOG_MAX_AGE: '' }, undefined],
  [{ RELT_CATALOG_MAX_AGE: '30' }, 30],
  [{ RELT_CATALOG_MAX_AGE: '180d' }, 180],
])('%j is a limit of %j days', (env, days) => {
  expect(readMaxAge(env)).toBe(days)
})

test.each(['soon', '-1', '1.5', '99999'])('refuses %j', (text) => {
  expect(() => readMaxAge({ RELT_CATALOG_MAX_AGE: text })).toThrow('RELT_CATALOG_MAX_AGE is not a number of days')
})
