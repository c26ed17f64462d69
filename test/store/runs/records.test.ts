import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordLength } from '../../../src/reports/finding-records.ts'
import { getFindingRecords, replaceRecords } from '../../../src/store/runs/records.ts'
import { removeOldRuns } from '../../../src/store/store-care/retention.ts'
import { day, openService } from '../../operations/service.ts'

const rows = (...messages: string[]) => messages.map((message) => ({ check: 'SEC003', message }))

async function openShop() {
  const service = await openService()
  const { db, upload, clock } = service
  return {
    ...service,
    /** Returns the row id of the run. */
    send: async (daysAgo: number, ...messages: string[]) => {
      const at = new Date((clock.now - daysAgo * day) * 1000).toISOString()
      const body = { run: { finished_at: at } }
      const { run_id } = await upload(rows(...messages), { cluster: 'shop', at: undefined, body } as never)
      return (await db.selectFrom('run').select('id').where('run_id', '=', run_id).executeTakeFirstOrThrow()).id
    },
    stored: async () => {
      const found = await db
        .selectFrom('run_finding')
        .select(['run_id', 'packed_with', 'chain'])
        .orderBy('run_id')
        .execute()
      return found.map(({ run_id, packed_with, chain }) => [run_id, packed_with, chain])
    },
    count: async (id: number) => (await getFindingRecords(db, id)).length / recordLength,
  }
}

test('each run but the latest is packed with the next one, and read as it was', async () => {
  const { send, stored, count } = await openShop()
  const ids = [await send(9, 'a'), await send(8, 'a', 'b'), await send(7, 'b', 'c', 'd')]
  expect(await stored()).toEqual([
    [ids[0], ids[1], 0],
    [ids[1], ids[2], 1],
    [ids[2], null, 2],
  ])
  expect([await count(ids[0]!), await count(ids[1]!), await count(ids[2]!)]).toEqual([1, 2, 3])
})

test('history that is sent backwards is read in a step', async () => {
  const { send, stored, count } = await openShop()
  const latest = await send(1, 'a')
  const ids = []
  for (let i = 2; i < 9; i++) ids.push(await send(i, 'a', `b${i}`))
  expect(await stored()).toEqual([[latest, null, 1], ...ids.map((id) => [id, latest, 0])])
  expect(await count(ids.at(-1)!)).toBe(2)
})

test('a late run is packed with the latest one', async () => {
  const { send, stored, count, call } = await openShop()
  const [first, last] = [await send(9, 'a'), await send(3, 'b')]
  const late = await send(5, 'a', 'b')
  expect((await stored()).map(([id, packed]) => [id, packed])).toEqual([
    [first, last],
    [last, null],
    [late, last],
  ])
  expect(await count(late)).toBe(2)
  const compared = await call('compareReports', { query: { cluster_name: 'shop' } })
  expect([compared.new_findings_count, compared.resolved_findings_count]).toEqual([0, 1])
})

test.each(['first', 'middle', 'last'] as const)('the others are read when the %s run is deleted', async (which) => {
  const { db, call, send, count } = await openShop()
  const ids = { first: await send(9, 'a'), middle: await send(8, 'a', 'b'), last: await send(7, 'a', 'b', 'c') }
  const { run_id } = await db.selectFrom('run').select('run_id').where('id', '=', ids[which]).executeTakeFirstOrThrow()
  await call('deleteReport', { params: { run_id } })
  for (const [name, id] of Object.entries(ids)) {
    if (name !== which) expect(await count(id)).toBe({ first: 1, middle: 2, last: 3 }[name])
  }
})

test('an expired run takes no other one with it, in whatever order they came', async () => {
  const { db, clock, send, count } = await openShop()
  await send(3, 'a', 'b')
  clock.now += 10 * day
  const late = await send(15, 'a')
  await removeOldRuns(db, { before: clock.now - day, limit: 10 })
  expect(await count(late)).toBe(1)
})

test('runs that need a run are read after it was replaced', async () => {
  const { db, send, count } = await openShop()
  const ids = [await send(9, 'a'), await send(8, 'a', 'b'), await send(7, 'b')]
  const made = Buffer.concat([randomBytes(recordLength), randomBytes(recordLength), randomBytes(recordLength)])
  await replaceRecords(db, ids[1]!, made)
  expect(await getFindingRecords(db, ids[1]!)).toEqual(made)
  expect([await count(ids[0]!), await count(ids[2]!)]).toEqual([1, 1])
})

test('every so many runs one is left whole', async () => {
  const { send, stored, count } = await openShop()
  const first = await send(99, 'a')
  for (let i = 98; i > 30; i--) await send(i, 'a', `b${i}`)
  const whole = (await stored()).filter(([, packed]) => packed === null)
  expect(whole).toHaveLength(2)
  expect(await count(first)).toBe(1)
})
