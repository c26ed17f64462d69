import { test as base, expect, inject, onTestFinished } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import type { WorkerJob } from '../../src/server/worker-messages.ts'
import { createWorkerPool } from '../../src/server/worker-pool.ts'
import { invoke } from '../../src/service/invoke.ts'
import { openService } from '../../src/service/service.ts'
import { addUser } from '../../src/store/accounts/user.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { distinctReport } from '../helpers/distinct-report.ts'
import { isOnPostgres } from '../helpers/memory-store.ts'
import { lendDatabase, templates } from '../helpers/postgres.ts'
import { openHttp, zipped } from '../server/http.ts'
import { openServer } from '../server/socket.ts'

const test = base.skipIf(isOnPostgres && !inject('postgres'))
const now = Math.floor(Date.now() / 1000)

/** Environment of a process that uses a store of its own on the database that the project tests. */
async function databaseOfProject(): Promise<{ RELT_DATABASE_URL: string } | object> {
  if (!isOnPostgres) return {}
  const lent = await lendDatabase(inject('postgres')!, onTestFinished, templates.catalog)
  const { host, port, user, password, database } = lent
  return { RELT_DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/${database}` }
}

/** Threads on a store of the database that the project tests. */
async function openPool(limitMs?: number) {
  const folder = temporaryFolder()
  const env = { RELT_HOME: folder, RELT_KEYCHAIN: 'off', ...(await databaseOfProject()) }
  const service = await openService({ env, now: () => now, folder })
  onTestFinished(() => service.db.destroy())
  const { keys } = await service.vault()
  const pool = createWorkerPool({ env, folder, patienceMs: 120_000 }, 2, limitMs)
  onTestFinished(() => pool.stop())
  const users = new Map<string, Awaited<ReturnType<typeof addUser>>>()
  for (const login of ['alice', 'bob']) {
    users.set(login, await addUser(service.db, { login, email: null, role: 'user', plan: 'pro' }, now))
  }
  const order: string[] = []
  const costs: number[] = []
  const upload = async (login: string, number: number, findings: number) => {
    const body = Buffer.from(JSON.stringify({ report: distinctReport(number, findings) }))
    const job: WorkerJob = {
      ...{ name: 'uploadReport', request: { user: users.get(login) }, upload: Uint8Array.from(body) },
      ...{ now, plans: readPlans({}) },
    }
    const answer = await pool.run(job, keys, { owner: login, onCpu: (ms) => void costs.push(ms) })
    order.push(login)
    return answer
  }
  const runs = async () => (await service.db.selectFrom('run').select('id').execute()).length
  return { pool, keys, upload, order, costs, runs }
}

test('one account has all threads but one, and the others are not behind its queue', async () => {
  const { upload, order } = await openPool()
  // Both threads have started before anybody waits.
  await Promise.all([upload('alice', 50, 3), upload('bob', 51, 3)])
  const alice = Array.from({ length: 4 }, (_, i) => upload('alice', i, 5000))
  await upload('bob', 100, 3)
  expect(order.filter((login) => login === 'alice').length).toBeLessThanOrEqual(1 + 2)
  await Promise.all(alice)
  expect(order.filter((login) => login === 'alice')).toHaveLength(1 + 4)
})

test('a job that takes too much processor time is ended, and stores nothing', async () => {
  // A thousand times what the others take, and half of what a quick machine takes for the first.
  const { upload, runs, costs } = await openPool(600)
  await expect(upload('alice', 1, 240_000)).rejects.toMatchObject({ code: 'too_costly' })
  expect(costs).toEqual([expect.toSatisfy((ms: number) => ms >= 600)])
  expect(await runs()).toBe(0)
  // Its thread is replaced.
  await upload('alice', 2, 3)
  await upload('bob', 3, 3)
  expect(await runs()).toBe(2)
})

test('bodies that are refused cost as many requests as they are large, and only those of their sender', async () => {
  const { call, signUp, clock } = await openHttp({ rateLimits: { user: 60, address: 60 } })
  const [alice, bob] = [await signUp('alice'), await signUp('bob')]
  const refused = zipped({ report: { a: 'x'.repeat(25_000_000) } })
  const headers = { 'content-encoding': 'gzip' }
  const send = async (by: typeof alice) =>
    (await call('/cluster-reports', { headers: { ...by.headers, ...headers }, body: refused })).status
  expect([await send(alice), await send(alice), await send(alice), await send(alice)]).toEqual([400, 400, 400, 429])
  expect(await send(bob)).toBe(400)
  expect((await call('/dashboard', { headers: alice.headers })).status).toBe(429)
  clock.now += 60
  expect((await call('/dashboard', { headers: alice.headers })).status).toBe(200)
  // Small bodies that are refused cost no more than others.
  for (let i = 0; i < 20; i++) {
    expect((await call('/cluster-reports', { headers: bob.headers, body: { report: 1 } })).status).toBe(400)
  }
})

test('requests that begin at once are answered a few of each account at a time', async () => {
  const { call, signUp, app } = await openHttp()
  const [alice, bob] = [await signUp('alice'), await signUp('bob')]
  const order: string[] = []
  const ask = async (login: string, headers: Record<string, string>) => {
    await call('/projects?search=argo', { headers })
    order.push(login)
  }
  const all = Array.from({ length: 100 }, () => ask('alice', alice.headers))
  await ask('bob', bob.headers)
  expect(app).toBeDefined()
  expect(order.filter((login) => login === 'alice').length).toBeLessThan(30)
  await Promise.all(all)
})

test('a server makes the figures of an upload after it, and reads make none', async () => {
  const env = await databaseOfProject()
  const server = await openServer({ data: temporaryFolder() }, env as Record<string, string>)
  const headers = { ...server.headers, 'content-type': 'application/json' }
  const call = async (path: string, body?: object) => {
    const init = { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) }
    // biome-ignore lint/suspicious/noExplicitAny: answers of several routes
    return (await (await fetch(`${server.url}/api/relt/v1${path}`, init)).json()) as any
  }
  const find = async () => (await call('/clusters')).items[0]
  const artifacts = { images: [{ fullRef: 'quay.io/argoproj/argocd:v3.4.8', namespace: 'a' }] }
  await call('/cluster-reports', { report: { ...distinctReport(1, 9), artifacts } })
  await expect.poll(async () => (await find()).has_figures).toBe(true)
  expect((await find()).freshness).toMatchObject({ artifacts: 1, known: 1, is_current: true })
  // After a change of the catalog, the last figures are there with their day until new ones are.
  const { items } = await call('/projects?search=argo')
  const product_id = items.find(({ name }: { name: string }) => name === 'Argo CD').id
  await call('/add-release', { product_id, version: 'v99.0.0', type: 'app' })
  const { freshness } = await find()
  expect(freshness).toMatchObject({ artifacts: 1, known: 1, catalog_date: expect.any(String) })
  await expect.poll(async () => (await find()).freshness).toMatchObject({ is_current: true, major_behind: 1 })
})

test('what is asked of a server that keeps its figures makes none', async () => {
  const { db, service, signUp } = await openHttp()
  const { user } = await signUp('alice')
  const { report, ...body } = { report: Buffer.from(JSON.stringify(distinctReport(1, 9))) }
  await invoke(service, 'uploadReport', { user, body, report })
  const kept = { ...service, keepsFigures: true }
  const { items, summary } = await invoke(kept, 'listClusters', { user })
  expect([items[0]?.has_figures, summary.pending]).toEqual([false, 1])
  expect(await db.selectFrom('cluster_summary').selectAll().execute()).toEqual([])
})
