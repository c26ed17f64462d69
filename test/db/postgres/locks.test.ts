import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import type { Lock } from '../../../src/db/lock.ts'
import { setMeta } from '../../../src/db/meta.ts'
import type { Db } from '../../../src/db/open.ts'
import { openPostgres } from '../../../src/db/postgres/open.ts'
import { write } from '../../../src/db/transaction.ts'
import { ReltError } from '../../../src/errors.ts'
import { issueKey } from '../../../src/operations/accounts/api-key.ts'
import { adopt } from '../../../src/operations/fleet/adopt.ts'
import { checkSilence, endSilenceFor } from '../../../src/operations/fleet/check-silence.ts'
import { reencrypt } from '../../../src/operations/keys/reencrypt.ts'
import type { Vault } from '../../../src/operations/keys/vault.ts'
import { toggleSubscription } from '../../../src/operations/notifications/toggle-subscription.ts'
import { prepareRun } from '../../../src/operations/runs/ingest.ts'
import { getOwnAccount } from '../../../src/store/accounts/owner.ts'
import { addUser } from '../../../src/store/accounts/user.ts'
import { getCatalogRevision } from '../../../src/store/catalog/revision.ts'
import { insertDeliveries, setEventIds, takeMessages } from '../../../src/store/notifications/delivery.ts'
import {
  claimTarget,
  ensureTarget,
  releaseTarget,
  wakeTarget,
} from '../../../src/store/notifications/delivery-target.ts'
import { lastSettledEvent } from '../../../src/store/notifications/event-log.ts'
import { recordEvents } from '../../../src/store/notifications/record-event.ts'
import { removeOldRuns } from '../../../src/store/store-care/retention.ts'
import { lendDatabase } from '../../helpers/postgres.ts'
import { keySource, makeVault } from '../../helpers/vault.ts'
import { now } from '../../operations/service.ts'
import { scan, toBytes } from '../../reports/scan.ts'

const server = inject('postgres')!
const key = Buffer.alloc(32, 7)

interface Replica {
  db: Db
  vault: Vault
}

/** Servers on one database. */
async function openReplicas(count = 2): Promise<Replica[]> {
  const address = await lendDatabase(server, onTestFinished)
  const opened = await Promise.all(Array.from({ length: count }, () => openPostgres(address)))
  onTestFinished(async () => void (await Promise.all(opened.map((db) => db.destroy()))))
  return Promise.all(opened.map(async (db) => ({ db, vault: await makeVault(db, key) })))
}

const newUser = (db: Db, login = 'dana') => addUser(db, { login, email: null, role: 'user', plan: 'pro' }, now)

/** On a busy machine, a request may wait too long for a connection. */
async function whenFree<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof ReltError) || error.code !== 'busy') throw error
    }
  }
}

/** A transaction that has done its work and is not committed until it is let go. */
async function pausedTransaction(db: Db, lock: Lock, work: (trx: Db) => Promise<unknown>) {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: ready, resolve: setReady } = Promise.withResolvers<void>()
  const done = write(db, lock, async (trx) => {
    const result = await work(trx)
    setReady()
    await released
    return result
  })
  onTestFinished(() => release())
  await Promise.race([ready, done])
  return async () => {
    release()
    return done
  }
}

/** Whether a transaction waits for another one. */
async function waits(work: Promise<unknown>): Promise<boolean> {
  const state = await Promise.race([work.then(() => 'done'), wait(150).then(() => 'waiting')])
  return state === 'waiting'
}

async function prepareUpload({ db, vault }: Replica, ownerId: number, cluster = 'prod-eu', message = 'privileged') {
  const envelope = { cluster: { name: cluster, environment: 'prod' } } as never
  const report = toBytes(scan([{ message }], { generatedAt: '2026-08-31T10:00:00Z' }))
  return prepareRun(
    db,
    { envelope, report },
    {
      ...{ ownerId, now, vault: async () => vault },
      onStored: (trx, { ownerId, name, environment }) => endSilenceFor(trx, { ownerId, name, environment }, now),
    },
  )
}

async function countRows(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db)
  return rows[0]!.count
}

describe.skipIf(!server)('locks over several servers', () => {
  test('transactions with the same lock take turns, and others do not wait', async () => {
    const [one, two] = await openReplicas()
    const finish = await pausedTransaction(one!.db, 'user:1 keys', async () => {})
    await write(two!.db, 'user:2 keys', async () => {})
    await write(two!.db, 'user:1 labels', async () => {})
    const same = write(two!.db, 'user:1 keys', async () => {})
    expect(await waits(same)).toBe(true)
    await finish()
    await same
  })

  test('transactions of one server that wait for a lock leave connections to others', async () => {
    const [one] = await openReplicas(1)
    const finish = await pausedTransaction(one!.db, 'catalog', async () => undefined)
    const waiting = Promise.all(Array.from({ length: 20 }, () => write(one!.db, 'catalog', async () => undefined)))
    expect(await countRows(one!.db, 'cluster')).toBe(0)
    await finish()
    expect(await waiting).toHaveLength(20)
  })

  test('40 parallel requests beyond a limit create exactly the limit', async () => {
    const replicas = await openReplicas()
    const user = await newUser(replicas[0]!.db)
    const plans = readPlans({ RELT_PLAN_LIMITS: 'pro.keys=7,pro.subscriptions=5' })
    await sql`insert into project (slug, name, description, category, cncf_status, homepage, docs_url, repo_url, logo_url,
        origin, updated_at)
      select 'p' || n, 'p' || n, '', '', '', '', '', '', '', 'user', 0 from generate_series(1, 40) as n`.execute(
      replicas[0]!.db,
    )
    const requests = Array.from({ length: 40 }, (_, index) => {
      const { db, vault } = replicas[index % 2]!
      const service = { db, vault: async () => vault, plans }
      const subscribe = { account: { id: user.id, plan: 'pro' as const }, projectId: index + 1, limits: plans.pro, now }
      return [
        whenFree(() => issueKey(service, { userId: user.id, name: `key ${index}` }, now)),
        whenFree(() => toggleSubscription(db, subscribe)),
      ]
    })
    const results = await Promise.allSettled(requests.flat())
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    expect(refused).toEqual(Array(80 - 7 - 5).fill('forbidden'))
    expect(await countRows(replicas[0]!.db, 'api_key')).toBe(7)
    expect(await countRows(replicas[0]!.db, 'subscription')).toBe(5)
  })

  test('two servers make one set of data keys', async () => {
    const address = await lendDatabase(server, onTestFinished)
    const opened = [await openPostgres(address), await openPostgres(address)]
    onTestFinished(async () => void (await Promise.all(opened.map((db) => db.destroy()))))
    const vaults = await Promise.all(opened.map((db) => makeVault(db, key)))
    expect(await countRows(opened[0]!, 'data_key')).toBe(2)
    expect(vaults[0]!.keys.activeId).toBe(vaults[1]!.keys.activeId)
  })

  test('the same report, uploaded to several servers at once, is stored once', async () => {
    const replicas = await openReplicas(3)
    const ownerId = await getOwnAccount(replicas[0]!.db, (await newUser(replicas[0]!.db)).id)
    const stores = await Promise.all(replicas.map((replica) => prepareUpload(replica, ownerId)))
    const stored = await Promise.all(replicas.map(({ db }, index) => write(db, 'nothing', stores[index]!)))
    expect(new Set(stored.map(({ run_id }) => run_id)).size).toBe(1)
    expect(stored.filter(({ duplicate }) => duplicate)).toHaveLength(2)
    expect(await countRows(replicas[0]!.db, 'run')).toBe(1)
  })

  test('uploads of different clusters do not wait for each other', async () => {
    const [one, two] = await openReplicas()
    const ownerId = await getOwnAccount(one!.db, (await newUser(one!.db)).id)
    const finish = await pausedTransaction(one!.db, 'nothing', await prepareUpload(one!, ownerId, 'a'))
    await write(two!.db, 'nothing', await prepareUpload(two!, ownerId, 'b'))
    await finish()
    expect(await countRows(one!.db, 'run')).toBe(2)
  })

  test('a cluster whose last run expires keeps the run that comes in meanwhile', async () => {
    const [one, two] = await openReplicas()
    const ownerId = await getOwnAccount(one!.db, (await newUser(one!.db)).id)
    await write(one!.db, 'nothing', await prepareUpload(one!, ownerId))
    await sql`update run set ingested_at = 1, content_hash = '\\x00'`.execute(one!.db)
    const finish = await pausedTransaction(one!.db, 'nothing', await prepareUpload(one!, ownerId))
    const expiring = removeOldRuns(two!.db, { before: 100, limit: 10 })
    expect(await waits(expiring)).toBe(true)
    await finish()
    expect(await expiring).toBe(1)
    expect([await countRows(one!.db, 'cluster'), await countRows(one!.db, 'run')]).toEqual([1, 1])
  })

  test('a run that comes in while its cluster is removed adds the cluster again', async () => {
    const [one, two] = await openReplicas()
    const ownerId = await getOwnAccount(one!.db, (await newUser(one!.db)).id)
    await write(one!.db, 'nothing', await prepareUpload(one!, ownerId))
    const { id } = await one!.db.selectFrom('cluster').select('id').executeTakeFirstOrThrow()
    const store = await prepareUpload(two!, ownerId, 'prod-eu', 'runs as root')
    const finish = await pausedTransaction(one!.db, `cluster:${id} runs`, (trx) =>
      trx.deleteFrom('cluster').where('id', '=', id).execute(),
    )
    const upload = write(two!.db, 'nothing', store)
    expect(await waits(upload)).toBe(true)
    await finish()
    await upload
    expect([await countRows(one!.db, 'cluster'), await countRows(one!.db, 'run')]).toEqual([1, 1])
  })

  test('an adoption waits for uploads, and they for it, with one lock for any number of clusters', async () => {
    const [one, two] = await openReplicas()
    const [ada, bea] = [await newUser(one!.db, 'ada'), await newUser(one!.db, 'bea')]
    const [to, from] = [await getOwnAccount(one!.db, ada.id), await getOwnAccount(one!.db, bea.id)]
    await sql`insert into cluster (owner_id, name, environment)
      select ${from}, 'c' || each, 'prod' from generate_series(1, 50) as each`.execute(one!.db)
    let locks = 0
    const adoptAll = (trx: Db) => adopt(trx, { from, to, login: 'bea', vault: two!.vault, now })
    const finishUpload = await pausedTransaction(one!.db, 'nothing', await prepareUpload(one!, from, 'c7'))
    const adoption = write(two!.db, 'teams', async (trx) => {
      const result = await adoptAll(trx)
      const { rows } = await sql<{ count: number }>`select count(*) as count from pg_locks
        where locktype = 'advisory' and pid = pg_backend_pid()`.execute(trx)
      locks = rows[0]!.count
      return result
    })
    expect(await waits(adoption)).toBe(true)
    await finishUpload()
    expect(await adoption).toMatchObject({ clusters: 50, runs: 1 })
    expect(locks).toBeLessThan(10)

    const late = await prepareUpload(one!, from, 'c7', 'runs as root')
    const finishAdoption = await pausedTransaction(two!.db, 'teams', adoptAll)
    const upload = write(one!.db, 'nothing', late)
    expect(await waits(upload)).toBe(true)
    await finishAdoption()
    await upload
    expect(await countRows(one!.db, 'cluster')).toBe(51)
  })

  test('a cluster whose report is being stored is not silent', async () => {
    const [one, two] = await openReplicas()
    const ownerId = await getOwnAccount(one!.db, (await newUser(one!.db)).id)
    await write(one!.db, 'nothing', await prepareUpload(one!, ownerId))
    await sql`update run set ingested_at = ${now - 2 * 3600}`.execute(one!.db)
    await sql`update cluster set expected_every = 3600`.execute(one!.db)
    const finish = await pausedTransaction(
      one!.db,
      'nothing',
      await prepareUpload(one!, ownerId, 'prod-eu', 'runs as root'),
    )
    const check = checkSilence(two!.db, now)
    expect(await waits(check)).toBe(true)
    await finish()
    expect(await check).toEqual({ opened: [], ended: [] })
  })

  test('an event that is committed after a later one is not missed', async () => {
    const [one, two] = await openReplicas()
    const event = { type: 'release.published', at: now, data: {} } as const
    const finish = await pausedTransaction(one!.db, 'nothing', (trx) => recordEvents(trx, [event]))
    await write(two!.db, 'nothing', (trx) => recordEvents(trx, [event]))
    const settled = lastSettledEvent(two!.db)
    expect(await waits(settled)).toBe(true)
    await finish()
    expect(await settled).toBe(2)
    expect(await countRows(two!.db, 'event_log')).toBe(2)
  })

  test('a data key is retired after everything that is being sealed with it', async () => {
    const [one, two] = await openReplicas()
    const ownerId = await getOwnAccount(one!.db, (await newUser(one!.db)).id)
    const finish = await pausedTransaction(one!.db, 'nothing', await prepareUpload(one!, ownerId))
    const sealing = reencrypt(two!.db, { vault: async () => two!.vault, source: keySource(key), now })
    expect(await waits(sealing)).toBe(true)
    await finish()
    const { pieces, removed_keys: removed } = await sealing
    expect(pieces).toBe(await countRows(one!.db, 'run_part'))
    expect(removed).toHaveLength(1)
  })

  test('a name of the catalog is not made while the catalog changes', async () => {
    const [one, two] = await openReplicas()
    const finish = await pausedTransaction(one!.db, 'catalog', (trx) => setMeta(trx, 'catalog_edition', '9'))
    const revision = getCatalogRevision(two!.db)
    expect(await waits(revision)).toBe(true)
    await finish()
    expect(await revision).toMatch(/^[0-9a-f]{16}$/)
  })

  async function addMessage(trx: Db, userId: number): Promise<{ id: number; targetId: number }> {
    const target = await ensureTarget(trx, { userId, channel: 'email', subscriptionId: null })
    const [id] = await insertDeliveries(trx, [
      {
        ...{ userId, createdAt: now, kind: 'release', channel: 'email', targetId: target.id, target: null },
        ...{ eventIds: [1], status: 'pending', notBefore: now, error: null },
      },
    ])
    await wakeTarget(trx, target.id, now)
    return { id: id!, targetId: target.id }
  }

  test('a message that is added while its target is released is due', async () => {
    const [one, two] = await openReplicas()
    const { id: userId } = await newUser(one!.db)
    const { targetId } = await write(one!.db, 'nothing', (trx) => addMessage(trx, userId))
    await claimTarget(two!.db, { id: targetId, lease: 'sender', now, leaseSeconds: 60 })
    await sql`update delivery set not_before = null`.execute(one!.db)
    const finish = await pausedTransaction(one!.db, 'nothing', (trx) => addMessage(trx, userId))
    const releasing = write(two!.db, 'nothing', (trx) =>
      releaseTarget(trx, { id: targetId, lease: 'sender', earliest: 0 }),
    )
    expect(await waits(releasing)).toBe(true)
    await finish()
    await releasing
    const target = await one!.db.selectFrom('delivery_target').select(['next_at', 'lease']).executeTakeFirst()
    expect(target).toEqual({ next_at: now, lease: null })
  })

  test('an event joins a message before it is taken, or not at all', async () => {
    const [one, two] = await openReplicas()
    const { id: userId } = await newUser(one!.db)
    const { id, targetId } = await write(one!.db, 'nothing', (trx) => addMessage(trx, userId))
    const finish = await pausedTransaction(one!.db, 'nothing', (trx) => setEventIds(trx, id, [1, 2]))
    const taking = takeMessages(two!.db, { targetId, now, limit: 10 })
    expect(await waits(taking)).toBe(true)
    await finish()
    expect((await taking).map(({ eventIds }) => eventIds)).toEqual([[1, 2]])
    expect(await setEventIds(one!.db, id, [1, 2, 3])).toBe(false)
  })

  test('a violated key is checked again, since the row may have come meanwhile', async () => {
    const [one, two] = await openReplicas()
    let attempts = 0
    const add = (db: Db) =>
      write(db, 'nothing', async (trx) => {
        attempts++
        const known = await trx.selectFrom('team').select('id').where('name', '=', 'sre').executeTakeFirst()
        if (known) return false
        await wait(50)
        await trx.insertInto('team').values({ name: 'sre', created_at: now }).execute()
        return true
      })
    expect((await Promise.all([add(one!.db), add(two!.db)])).toSorted()).toEqual([false, true])
    expect(attempts).toBe(3)
  })
})
