import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Db, openDatabase } from '../../../src/db/open.ts'
import { checkSilence } from '../../../src/operations/fleet/check-silence.ts'
import { countSilentClusters } from '../../../src/store/fleet/silence.ts'
import { day, now, openService, type TestService } from '../service.ts'

const hour = 3600
const minute = 60

/** An agent that scans prod-eu at this interval. */
function heartbeat(service: TestService, every: number | undefined, agent_id = 'agent-1') {
  const job = { name: 'nightly', cluster_name: 'prod-eu', ...(every !== undefined && { expected_every: every }) }
  const body = { agent_id, host: 'laptop', version: '1.0.0', uploads_waiting: 0, jobs: [job] }
  return service.call('agentHeartbeat', { body })
}

const upload = (service: TestService, message: string) =>
  service.upload([{ message }], { body: { cluster: { name: 'prod-eu' } } })

const silentOf = async (service: TestService) => (await service.call('listAgents')).silent_clusters
const auditFor = async (db: Db) =>
  (await db.selectFrom('audit').select(['action', 'subject']).where('action', 'like', 'cluster.%').execute()).map(
    ({ action, subject }) => `${action} ${subject}`,
  )

/** Checks once a minute, from one time to another, on each of the stores. */
async function checkFor(stores: Db[], from: number, to: number) {
  const opened: number[] = []
  for (let time = from; time <= to; time += minute) {
    const all = await Promise.all(stores.map((db) => checkSilence(db, time)))
    for (const { opened: names } of all) for (const _ of names) opened.push((time - from) / minute)
  }
  return opened
}

test('a cluster that is silent for 75 of 60 minutes is one event over three servers, ended by the next report', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'relt-silence-')), 'relt.db')
  const service = await openService(file)
  const stores = [service.db, await openDatabase(file), await openDatabase(file)]
  for (const db of stores.slice(1)) onTestFinished(() => db.destroy())
  await heartbeat(service, hour)
  await upload(service, 'first')

  // After 75 minutes the grace has passed.
  expect(await checkFor(stores, now, now + 80 * minute)).toEqual([76])
  expect(await silentOf(service)).toEqual([
    {
      cluster_name: 'prod-eu',
      environment: 'prod',
      expected_every: hour,
      last_report_at: '2026-09-01 12:00:00',
      silent_since: '2026-09-01 13:16:00',
    },
  ])
  expect(await countSilentClusters(service.db)).toBe(1)

  service.clock.now = now + 81 * minute
  await upload(service, 'second')
  expect(await silentOf(service)).toEqual([])
  expect(await checkFor(stores, service.clock.now, service.clock.now + hour)).toEqual([])
  const events = await service.db.selectFrom('event').select(['kind', 'opened_at', 'ended_at']).execute()
  expect(events).toEqual([{ kind: 'cluster.silent', opened_at: now + 76 * minute, ended_at: now + 81 * minute }])
  expect(await auditFor(service.db)).toEqual(['cluster.silent prod-eu/prod', 'cluster.heard prod-eu/prod'])
})

test('a cluster falls silent again after it has reported', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  await upload(service, 'first')
  await checkSilence(service.db, now + 2 * hour)
  service.clock.now = now + 2 * hour
  await upload(service, 'second')
  expect(await checkSilence(service.db, now + 4 * hour)).toEqual({ opened: ['prod-eu/prod'], ended: [] })
})

test('a cluster without any report is silent from the first heartbeat on', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  service.clock.now = now + hour
  await heartbeat(service, hour)
  expect(await checkSilence(service.db, now + 75 * minute)).toEqual({ opened: [], ended: [] })
  expect(await checkSilence(service.db, now + 76 * minute)).toEqual({ opened: ['prod-eu/prod'], ended: [] })
  expect((await silentOf(service))[0]?.last_report_at).toBeNull()
})

test('reports are expected from the time at which an agent says so', async () => {
  const service = await openService()
  await upload(service, 'a year ago')
  service.clock.now = now + 365 * day
  await heartbeat(service, hour)
  expect((await checkSilence(service.db, service.clock.now)).opened).toEqual([])
  expect((await checkSilence(service.db, service.clock.now + 2 * hour)).opened).toEqual(['prod-eu/prod'])
})

test('the report of an old scan ends no silence', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  await upload(service, 'first')
  await checkSilence(service.db, now + 2 * hour)
  service.clock.now = now + 2 * hour
  await service.upload([{ message: 'old' }], {
    body: {
      cluster: { name: 'prod-eu' },
      run: { started_at: '2026-08-01 00:00:00', finished_at: '2026-08-01 00:10:00' },
    },
    generatedAt: '2026-08-01 00:10:00',
  })
  expect(await silentOf(service)).toHaveLength(1)
})

test('the event ends when reports are no longer expected', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  await checkSilence(service.db, now + 2 * hour)
  await heartbeat(service, undefined)
  expect(await checkSilence(service.db, now + 2 * hour)).toEqual({ opened: [], ended: ['prod-eu/prod'] })
})

test('an agent that is gone for a month is forgotten, and with it what it promised', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  expect((await checkSilence(service.db, now + 2 * hour)).opened).toHaveLength(1)
  await heartbeat(service, 2 * day, 'agent-2')
  service.clock.now = now + 31 * day
  await heartbeat(service, 2 * day, 'agent-2')
  await upload(service, 'first')
  await checkSilence(service.db, service.clock.now)
  expect((await service.call('listAgents')).items.map(({ agent_id }) => agent_id)).toEqual(['agent-2'])
})

test('a check that finds nothing new does not write', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  await checkSilence(service.db, now + 2 * hour)
  const before = await service.db.selectFrom('event').selectAll().execute()
  expect(await checkSilence(service.db, now + 3 * hour)).toEqual({ opened: [], ended: [] })
  expect(await service.db.selectFrom('event').selectAll().execute()).toEqual(before)
})

test('silence and agents belong to their owner', async () => {
  const service = await openService()
  const other = await service.addUser('other')
  await heartbeat(service, hour)
  await checkSilence(service.db, now + 2 * hour)
  const seen = await service.call('listAgents', { user: other })
  expect(seen).toEqual({ success: true, items: [], silent_clusters: [] })
})

test("a cluster's own interval is expected without an agent, and comes before that of its agents", async () => {
  const service = await openService()
  await upload(service, 'first')
  await service.db.updateTable('cluster').set({ expected_every: hour }).execute()
  expect(await checkFor([service.db], now, now + 80 * minute)).toEqual([76])
  await service.db.updateTable('cluster').set({ expected_every: day }).execute()
  await heartbeat(service, hour)
  expect((await checkSilence(service.db, now + 81 * minute)).ended).toEqual(['prod-eu/prod'])
})

test('a cluster that an agent scans is overdue in the list of clusters, as its event says', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  await upload(service, 'first')
  const get = async () => (await service.call('listClusters', {})).items[0]!
  expect(await get()).toMatchObject({
    expected_every: null,
    expected_reports: { every: hour, set_by: 'agent' },
    overdue: false,
  })
  service.clock.now += 75 * minute + 1
  expect(await get()).toMatchObject({ overdue: true, attention: expect.arrayContaining(['overdue']) })
  expect((await checkSilence(service.db, service.clock.now)).opened).toEqual(['prod-eu/prod'])
  const { cluster_id } = await get()
  const body = { expected_every: day }
  expect(await service.call('updateCluster', { params: { cluster_id }, body })).toMatchObject({
    expected_reports: { every: day, set_by: 'cluster' },
    overdue: false,
  })
})

test('a cluster that an agent promised and that never reported is listed beside the others', async () => {
  const service = await openService()
  await heartbeat(service, hour)
  const formatSummary = async (query = {}) => (await service.call('listClusters', { query })).summary
  expect(await formatSummary()).toMatchObject({ clusters: 0, never_reported: [] })
  service.clock.now += 75 * minute + 1
  expect(await formatSummary()).toMatchObject({
    never_reported: [{ cluster_name: 'prod-eu', environment: 'prod', expected_every: hour }],
  })
  expect((await formatSummary({ environment: 'test' })).never_reported).toEqual([])
  expect((await formatSummary({ label: 'x' })).never_reported).toEqual([])
  const eve = await service.addUser('eve')
  expect((await service.call('listClusters', { user: eve })).summary.never_reported).toEqual([])
  await upload(service, 'first')
  expect((await formatSummary()).never_reported).toEqual([])
})

test('agents that were silent for longest are forgotten when all of them report more than 4 MB of jobs', async () => {
  const service = await openService()
  const jobs = Array.from({ length: 1000 }, (_, i) => ({
    name: `job-${i}`.padEnd(63, '-'),
    cluster_name: `cluster-${i}`.padEnd(253, 'ä'),
    environment: 'e'.repeat(100),
    expected_every: hour,
  }))
  for (let i = 0; i < 10; i++) {
    service.clock.now = now + i
    const body = { agent_id: `agent-${i}`, host: 'ci', version: '1.0.0', uploads_waiting: 0, jobs }
    await service.call('agentHeartbeat', { body })
  }
  const { items } = await service.call('listAgents')
  expect(Buffer.byteLength(JSON.stringify(items))).toBeLessThan(6 * 2 ** 20)
  expect(items.map(({ agent_id }) => agent_id)).toEqual(['agent-9', 'agent-8', 'agent-7', 'agent-6', 'agent-5'])
})
