import { expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres } from '../../../src/db/postgres/open.ts'
import { claimPeriod } from '../../../src/store/store-care/period.ts'
import { openMemoryStore } from '../../helpers/memory-store.ts'
import { lendDatabase } from '../../helpers/postgres.ts'

const server = inject('postgres')
const everySeconds = 3600

test.skipIf(!server)('of three servers one runs a job in each of 100 periods', async () => {
  const address = await lendDatabase(server!, onTestFinished)
  const servers = await Promise.all([1, 2, 3].map(() => openPostgres(address)))
  onTestFinished(async () => void (await Promise.all(servers.map((db) => db.destroy()))))
  let runs = 0
  for (let period = 0; period < 100; period++) {
    const now = 1_800_000_000 + period * everySeconds
    // Their timers differ by seconds.
    const claims = await Promise.all(
      servers.map((db, i) => claimPeriod(db, 'retention', { now: now + i, everySeconds })),
    )
    runs += claims.filter(Boolean).length
  }
  expect(runs).toBe(100)
})

test('the server of a SQLite file runs a job whenever it starts', async () => {
  const db = await openMemoryStore({ database: 'sqlite' })
  onTestFinished(() => db.destroy())
  const claim = () => claimPeriod(db, 'retention', { now: 1_800_000_000, everySeconds })
  expect([await claim(), await claim()]).toEqual([true, true])
})
