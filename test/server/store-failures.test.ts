import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { setMeta } from '../../src/db/meta.ts'
import { type Db, openDatabase } from '../../src/db/open.ts'
import { write } from '../../src/db/transaction.ts'
import { StoreHealth } from '../../src/server/http/store-health.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { scan } from '../reports/scan.ts'
import { openHttp } from './http.ts'

const count = async (db: Db, table: 'run' | 'audit') =>
  (
    await db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
  ).count

test('a full disk refuses uploads, keeps what was answered, and turns readiness red until it has space', async () => {
  const { call, db, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  const pages = (await sql<{ page_count: number }>`pragma page_count`.execute(db)).rows[0]!.page_count
  await sql.raw(`pragma max_page_count = ${pages + 15}`).execute(db)
  const upload = (name: string) => call('/cluster-reports', { headers, body: { cluster: { name }, report: scan([]) } })

  let stored = 0
  let refused = await upload('cluster-0')
  while (refused.status === 201) refused = await upload(`cluster-${++stored}`)
  expect(stored).toBeGreaterThan(0)
  expect(await count(db, 'run')).toBe(stored)
  expect(await count(db, 'audit')).toBe(stored)
  expect(refused).toMatchObject({ status: 507, body: { code: 'relt_store_unusable' } })
  expect(refused.body.message).toContain('full')
  expect((await call('/readyz', { absolute: true })).status).toBe(503)
  expect((await call('/healthz', { absolute: true })).status).toBe(200)
  expect((await call('/cluster-reports?cluster_name=cluster-0', { headers })).body.items).toHaveLength(1)

  await sql`pragma max_page_count = 1000000`.execute(db)
  expect((await call('/readyz', { absolute: true })).status).toBe(200)
  expect((await upload('another')).status).toBe(201)
})

test('a change whose audit entry cannot be written is not made', async () => {
  const { call, db, signUp } = await openHttp()
  const { headers } = await signUp('ada')
  await sql`create trigger no_audit before insert on audit begin select raise(abort, 'no audit'); end`.execute(db)
  const body = { cluster: { name: 'a' }, report: scan([]) }
  expect((await call('/cluster-reports', { headers, body })).status).toBe(500)
  expect(await count(db, 'run')).toBe(0)
  expect((await call('/api-keys', { headers, body: { name: 'second' } })).status).toBe(500)
  await sql`drop trigger no_audit`.execute(db)
  expect((await call('/api-keys', { headers })).body.keys).toHaveLength(1)
})

test('a lock that another process holds turns readiness red until it is gone, and asking writes nothing', async () => {
  const file = join(temporaryFolder(), 'relt.db')
  const impatient = await openDatabase(file, { patienceMs: 50 })
  const db = await openDatabase(file, { patienceMs: 60_000 })
  const other = new DatabaseSync(file)
  onTestFinished(async () => {
    other.close()
    await impatient.destroy()
    await db.destroy()
  })
  const version = () => other.prepare('pragma data_version').get()!.data_version
  const health = new StoreHealth()
  const before = version()
  expect(await health.isReady(db)).toBe(true)
  expect(version()).toBe(before)

  other.exec('begin immediate')
  await write(impatient, 'nothing', (trx) => setMeta(trx, 'agent_id', 'a')).catch((error) => health.noteError(error))
  // The check waits for the lock for a minute, and no answer waits for the check.
  for (let i = 0; i < 3; i++) expect(await health.isReady(db)).toBe(false)
  other.exec('commit')
  await expect.poll(() => health.isReady(db)).toBe(true)
})
