import { expect, inject, test } from 'vitest'
import type { Route } from '../../src/contract/route.ts'
import { answersOfTable } from '../db/postgres/table-answers.ts'

test.skipIf(!inject('postgres'))('each value of each write is answered alike on both databases', async () => {
  // A release that exists already takes an id in PostgreSQL and none in SQLite, so later ids differ.
  const isWrite = ({ method, path }: Route) => method !== 'GET' && path !== '/add-release'
  const [sqlite, postgres] = [await answersOfTable('sqlite', isWrite), await answersOfTable('postgres', isWrite)]
  expect(postgres).toEqual(sqlite)
})
