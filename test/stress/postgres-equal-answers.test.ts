import { expect, inject, test } from 'vitest'
import type { Route } from '../../src/contract/route.ts'
import { answersOfTable } from './table-answers.ts'

const server = inject('postgres')

/** The tests of every day compare some lists, and run the conformance table on each database by itself. */
test.skipIf(!server)('answers of the conformance table are equal byte for byte on both databases', async () => {
  const isRead = ({ method }: Route) => method === 'GET'
  const [sqlite, postgres] = [await answersOfTable('sqlite', isRead), await answersOfTable('postgres', isRead)]
  expect(postgres).toEqual(sqlite)
  const succeeded = Object.values(sqlite).filter((answer) => answer.startsWith('20'))
  expect(succeeded.length).toBeGreaterThan(400)
})

test.skipIf(!server)('each value of each write is answered alike on both databases', async () => {
  // A release that exists already takes an id in PostgreSQL and none in SQLite, so later ids differ.
  const isWrite = ({ method, path }: Route) => method !== 'GET' && path !== '/add-release'
  const [sqlite, postgres] = [await answersOfTable('sqlite', isWrite), await answersOfTable('postgres', isWrite)]
  expect(postgres).toEqual(sqlite)
})
