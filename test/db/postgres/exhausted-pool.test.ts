import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import { openMasterKeys } from '../../../src/config/secrets.ts'
import { openPostgres } from '../../../src/db/postgres/open.ts'
import { issueKey } from '../../../src/operations/accounts/api-key.ts'
import { openVault } from '../../../src/operations/keys/vault.ts'
import { addUser } from '../../../src/store/accounts/user.ts'
import { lendDatabase, templates } from '../../helpers/postgres.ts'
import { now } from '../../operations/service.ts'
import { basic } from '../../server/http.ts'
import { openServer } from '../../server/socket.ts'

const server = inject('postgres')!
/** Of each server. */
const poolConnections = 8
/** Of these, the requests of one account. */
const ofOneAccount = 6

test.skipIf(!server)('answers 503 with Retry-After while no connection is free for two seconds', async () => {
  const address = await lendDatabase(server, onTestFinished, templates.catalog)
  const { host, port, user, database } = address
  const env = {
    RELT_DATABASE_URL: `postgres://${user}@${host}:${port}/${database}`,
    PGPASSWORD: server.password,
    RELT_MASTER_KEY: randomBytes(32).toString('hex'),
  }
  const { url, headers } = await openServer(undefined, env)
  const db = await openPostgres(address)
  onTestFinished(() => db.destroy())
  const { id: userId } = await addUser(db, { login: 'eve', email: null, role: 'user', plan: 'pro' }, now)
  const service = { db, plans: readPlans({}), vault: () => openVault(db, openMasterKeys(env, ''), { now }) }
  const { password } = await issueKey(service, { userId, name: 'eve' }, now)
  const eve = { authorization: basic('eve', password) }
  const get = (path: string, by: Record<string, string> = headers) => fetch(url + path, { headers: by })
  const list = (by?: Record<string, string>) => get('/api/relt/v1/labels', by)
  expect((await list()).status).toBe(200)

  let held: Promise<Response>[] = []
  await db.transaction().execute(async (trx) => {
    await sql`lock table label in access exclusive mode`.execute(trx)
    held = Array.from({ length: poolConnections }, () => list())
    await vi.waitUntil(async () => (await countWaiting()) === ofOneAccount, { interval: 20, timeout: 60_000 })
    expect((await get('/api/relt/v1/api-keys/current', eve)).status).toBe(200)
    held.push(...Array.from({ length: poolConnections - ofOneAccount }, () => list(eve)))
    await vi.waitUntil(async () => (await countWaiting()) === poolConnections, { interval: 20, timeout: 60_000 })
    const started = performance.now()
    const refused = await get('/api/relt/v1/api-keys/current')
    expect(performance.now() - started).toBeGreaterThan(1900)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await refused.json()).toMatchObject({ code: 'relt_busy' })
    const unready = await get('/readyz')
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await get('/healthz')).status).toBe(200)
  })
  for (const answer of held) expect((await answer).status).toBe(200)
  expect((await get('/api/relt/v1/api-keys/current')).status).toBe(200)
  expect((await get('/readyz')).status).toBe(200)

  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from pg_stat_activity
      where datname = ${database} and wait_event_type = 'Lock'`.execute(db)
    return rows[0]!.count
  }
})
