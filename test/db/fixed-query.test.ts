import { expect, test } from 'vitest'
import { builtOnce } from '../../src/db/fixed-query.ts'
import { write } from '../../src/db/transaction.ts'
import { openService } from '../operations/service.ts'

test('a query is built at its first use, and answers by the parameters of each', async () => {
  const { db } = await openService()
  let built = 0
  const toMeta = builtOnce((store, { key, value }: { key: string; value: string }) => {
    built++
    return store.selectFrom('meta').select('value').where('key', '=', key).where('value', 'in', [value, 'x'])
  })
  await db
    .insertInto('meta')
    .values([
      { key: 'test-a', value: 'x' },
      { key: 'test-b', value: 'x' },
      { key: 'test-c', value: 'y' },
    ])
    .execute()
  const ask = (key: string, value: string, store = db) => toMeta(store, { key, value })
  expect(await ask('test-a', 'z')).toEqual([{ value: 'x' }])
  expect(await ask('test-c', 'z')).toEqual([])
  expect(await ask('test-c', 'y')).toEqual([{ value: 'y' }])
  expect(await write(db, 'nothing', (trx) => ask('test-b', 'z', trx))).toEqual([{ value: 'x' }])
  expect(built).toBe(1)
})
