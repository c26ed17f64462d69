import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { isBusy } from '../../src/db/sqlite-error.ts'
import { temporaryFolder } from '../helpers/cli.ts'

test('knows the error of a store that another process holds', () => {
  const file = join(temporaryFolder(), 'a.db')
  const [holder, other] = [new DatabaseSync(file), new DatabaseSync(file, { timeout: 0 })]
  holder.exec('create table a (b); begin immediate')
  try {
    other.exec('begin immediate')
    expect.fail('the store is not held')
  } catch (error) {
    expect(isBusy(error)).toBe(true)
  } finally {
    holder.close()
    other.close()
  }
})

test.each([new Error('no such table: a'), undefined, null, 'database', {}])('does not take %j for it', (error) => {
  expect(isBusy(error)).toBe(false)
})
