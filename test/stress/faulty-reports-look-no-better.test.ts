import { expect, test } from 'vitest'
import { fixturesWithFaults } from '../reports/formats/faults-of-fixtures.ts'
import { greenerFaults } from '../reports/formats/greener.ts'

test.each(fixturesWithFaults)('every faulty report of %s looks no better than the good one', async (name) => {
  expect(await greenerFaults(name, 'all')).toEqual([])
})
