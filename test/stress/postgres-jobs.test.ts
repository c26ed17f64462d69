import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { openPostgres } from '../../src/db/postgres/open.ts'
import { checkSilence } from '../../src/operations/fleet/check-silence.ts'
import { runDigests, scheduleDigests } from '../../src/operations/notifications/run-digests.ts'
import { recordEvents } from '../../src/store/notifications/record-event.ts'
import { claimPeriod } from '../../src/store/store-care/period.ts'
import { toAddress } from '../helpers/postgres.ts'
import { day, now, openService } from '../operations/service.ts'
import { openRoutes } from '../service/harness.ts'

const server = inject('postgres')
const periods = 100

/** Three servers on the database of a store. */
async function openReplicas(db: Db): Promise<Db[]> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const address = toAddress(server!, rows[0]!.name)
  const replicas = await Promise.all([1, 2, 3].map(() => openPostgres(address)))
  onTestFinished(async () => void (await Promise.all(replicas.map((each) => each.destroy()))))
  return replicas
}

async function countOver(replicas: Db[], work: (db: Db, index: number) => Promise<number>): Promise<number> {
  const counts = await Promise.all(replicas.map(work))
  return counts.reduce((sum, count) => sum + count, 0)
}

test.skipIf(!server).each(['retention', 'catalog sync', 'clusters'])(
  'of three servers one does the job "%s" in each of 100 periods',
  async (job) => {
    const { db } = await openService()
    const replicas = await openReplicas(db)
    let runs = 0
    for (let period = 0; period < periods; period++) {
      const at = now + period * day
      runs += await countOver(replicas, async (each, index) =>
        Number(await claimPeriod(each, job, { now: at + index, everySeconds: day })),
      )
    }
    expect(runs).toBe(periods)
  },
)

test.skipIf(!server)('three servers tell once of each of 100 silences, and once of its end', async () => {
  const service = await openService()
  const replicas = await openReplicas(service.db)
  await service.upload([{ message: 'first' }])
  await service.db.updateTable('cluster').set({ expected_every: 3600 }).execute()
  let [opened, ended] = [0, 0]
  for (let period = 1; period <= periods; period++) {
    const at = now + period * day
    opened += await countOver(replicas, async (db) => (await checkSilence(db, at)).opened.length)
    await service.db.updateTable('run').set({ ingested_at: at }).execute()
    ended += await countOver(replicas, async (db) => (await checkSilence(db, at + 60)).ended.length)
  }
  expect([opened, ended]).toEqual([periods, periods])
})

test.skipIf(!server)('three servers make one digest in each of 100 days', async () => {
  const { as, ada, subscribe, db, vault, ids } = await openRoutes()
  await db.updateTable('user').set({ email: 'ada@example.com' }).where('id', '=', ada.id).execute()
  const subscription_id = await subscribe(ada, 'nginx')
  await as(ada, 'updateSettings', { body: { subscription_id, email_frequency: 'daily' } })
  const stores = (await openReplicas(db)).map((each) => ({ db: each, vault: async () => vault }))
  await scheduleDigests(stores[0]!, now)
  const made: number[] = []
  for (let period = 1; period <= periods; period++) {
    const at = now + period * day
    const data = { version: `v${period}.0.0` }
    await recordEvents(db, [{ type: 'release.published', at: at - day, projectId: ids.nginx!, data }])
    const counts = await Promise.all(stores.map((store) => runDigests(store, at)))
    made.push(counts.reduce((sum, count) => sum + count, 0))
  }
  expect(made).toEqual(Array(periods).fill(1))
  const rows = await db.selectFrom('delivery').select('id').where('kind', '=', 'digest').execute()
  expect(rows).toHaveLength(periods)
})
