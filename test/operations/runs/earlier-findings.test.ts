import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import type { RouteAnswer, RouteName } from '../../../src/contract/routes.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { Exceptions } from '../../../src/gate/exception.ts'
import { reindexRuns } from '../../../src/operations/runs/reindex-runs.ts'
import { identityVersion } from '../../../src/reports/fingerprint.ts'
import type { Request } from '../../../src/service/handler.ts'
import { invoke } from '../../../src/service/invoke.ts'
import { getLocalUser } from '../../../src/store/accounts/user.ts'
import { parseTexts } from '../../../src/util/json-text.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { makeVault } from '../../helpers/vault.ts'
import { now } from '../service.ts'

const clusters = ['own', 'gke']

/** A store that release identity 2 wrote: three runs of two clusters, 9, 6 and 3 days ago, and exceptions of findings. */
async function openOldStore() {
  const file = join(temporaryFolder(), 'relt.db')
  const packed = readFileSync(new URL('../../fixtures/store-identity-2.db.zst', import.meta.url))
  writeFileSync(file, zstdDecompressSync(packed))
  const db = await openDatabase(file)
  onTestFinished(() => db.destroy())
  const vault = await makeVault(db, Buffer.alloc(32, 7))
  const user = await getLocalUser(db, now)
  const service = { db, vault: async () => vault, plans: readPlans({}), now: () => now }
  const call = async <N extends RouteName>(name: N, request: Partial<Request>): Promise<RouteAnswer<N>> =>
    parseTexts(await invoke(service, name, { user, ...request })) as RouteAnswer<N>
  return { db, vault: async () => vault, call }
}

type Store = Awaited<ReturnType<typeof openOldStore>>

const openFindings = async ({ call }: Store, cluster_name: string) => {
  const query = { cluster_name, environment: 'prod', per_page: 100 }
  const pages = [1, 2, 3].map((page) => call('listFindings', { query: { ...query, page } }))
  return (await Promise.all(pages)).flatMap(({ items }) => items)
}

const exceptionsFor = async ({ call }: Store) =>
  (await call('listExceptions', { query: {} })).items.map(({ exception_id, fingerprint, reason }) => ({
    ...{ fingerprint: fingerprint!, reason, expires: '2027-06-30', source: exception_id },
  }))

test('nothing is new, resolved or regressed when runs are indexed by today’s rules', async () => {
  const { db, call } = await openOldStore()
  const versions = () => db.selectFrom('run').select('identity_version').distinct().execute()
  expect(await versions()).toEqual([{ identity_version: 2 }])
  for (const cluster_name of clusters) {
    const runs = await call('listReports', { query: { cluster_name, environment: 'prod' } })
    for (const { run_id } of runs.items.slice(0, -1)) {
      expect(await call('compareReports', { query: { to_run_id: run_id } })).toMatchObject({
        ...{ new_findings_count: 0, resolved_findings_count: 0, regressed_findings_count: 0 },
        ...{ incomparable_findings_count: 0 },
      })
    }
  }
  expect(await versions()).toEqual([{ identity_version: identityVersion }])
})

test('exceptions that name findings by earlier fingerprints match', async () => {
  const store = await openOldStore()
  const before = await exceptionsFor(store)
  expect(before.length).toBeGreaterThan(0)
  await reindexRuns(store.db, { vault: store.vault })
  const run = (await store.call('listReports', { query: { cluster_name: 'own', environment: 'prod' } })).items[0]!
  const { items } = await store.call('listRunFindings', { params: { run_id: run.run_id }, query: { include: 'items' } })
  const exceptions = new Exceptions(before, '2026-09-01')
  for (const finding of items ?? []) exceptions.forFinding(finding)
  expect(exceptions.uses()).toMatchObject({ unused: [], expired: [] })
})

test('the days on which findings were first seen carry over, also of runs that have expired', async () => {
  const store = await openOldStore()
  const firstDay = '2026-08-23 12:00:00'
  await store.db.updateTable('finding_history').set({ first_run_id: 999_999 }).execute()
  await reindexRuns(store.db, { vault: store.vault })
  for (const cluster of clusters) {
    const days = new Set((await openFindings(store, cluster)).map(({ first_seen_at }) => first_seen_at))
    expect([...days]).toEqual([firstDay])
  }
})

test('a finding is shown by its earlier fingerprint', async () => {
  const store = await openOldStore()
  const [exception] = await exceptionsFor(store)
  await reindexRuns(store.db, { vault: store.vault })
  const found = await store.call('getFinding', { params: { fingerprint: exception!.fingerprint }, query: {} })
  expect(found).toMatchObject({ success: true })
})

test('indexing again records no event', async () => {
  const store = await openOldStore()
  const events = () => store.db.selectFrom('event_log').selectAll().execute()
  const before = await events()
  await reindexRuns(store.db, { vault: store.vault })
  expect(await events()).toEqual(before)
})
