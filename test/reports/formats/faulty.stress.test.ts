import { describe, expect, test } from 'vitest'
import { fixturesWithFaults } from './faults-of-fixtures.ts'
import { greenerFaults } from './greener.ts'

// Every value of every member, some 22,000 faults, is in the stress tests.
describe.each(fixturesWithFaults)('a faulty report of %s', (name) => {
  test('never looks better than the good one', async () => {
    expect(await greenerFaults(name, 'kinds')).toEqual([])
  })
})
