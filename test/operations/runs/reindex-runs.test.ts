import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { reindexRuns } from '../../../src/operations/runs/reindex-runs.ts'
import { identityVersion } from '../../../src/reports/fingerprint.ts'
import { invoke } from '../../../src/service/invoke.ts'
import { getLocalUser } from '../../../src/store/accounts/user.ts'
import { parseTexts } from '../../../src/util/json-text.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { makeVault } from '../../helpers/vault.ts'
import { day, now } from '../service.ts'

const clusters = ['aks', 'gke', 'eks', 'own', 'trivy']

/** A store whose runs are indexed by the first rules of identity: 50 runs of five clusters, with rollouts between them and no other change. */
async function openOldStore() {
  const file = join(temporaryFolder(), 'relt.db')
  writeFileSync(
    file,
    zstdDecompressSync(readFileSync(new URL('../../fixtures/store-identity-1.db.zst', import.meta.url))),
  )
  const db = await openDatabase(file)
  const vault = await makeVault(db, Buffer.alloc(32, 7))
  const user = await getLocalUser(db, now)
  const service = { db, vault: async () => vault, plans: readPlans({}), now: () => now }
  const call: (name: Parameters<typeof invoke>[1], request: object) => Promise<never> = async (name, request) =>
    parseTexts(await invoke(service, name, { user, ...request } as never)) as never
  return { file, db, vault: async () => vault, call }
}

interface Counts {
  new_findings_count: number
  resolved_findings_count: number
  regressed_findings_count: number
  changed_findings_count: number
  incomparable_findings_count: number
}
const none = {
  new_findings_count: 0,
  resolved_findings_count: 0,
  regressed_findings_count: 0,
  changed_findings_count: 0,
  incomparable_findings_count: 0,
}

const versions = async (db: Awaited<ReturnType<typeof openDatabase>>) =>
  (await db.selectFrom('run').select('identity_version').distinct().execute()).map((row) => row.identity_version)

test('the first comparison by other rules of identity calls nothing new, and indexes the runs of that cluster alone', async () => {
  const { db, call } = await openOldStore()
  expect(await versions(db)).toEqual([1])
  const query = { cluster_name: 'gke', environment: 'prod' }
  const runs = ((await call('listReports', { query })) as { items: { run_id: string }[] }).items
  expect(runs).toHaveLength(12)
  expect(await call('compareReports', { query: { ...query } })).toMatchObject(none)
  for (const { run_id } of runs.slice(0, -1)) {
    expect((await call('compareReports', { query: { to_run_id: run_id } })) as Counts).toMatchObject(none)
  }
  const outdated = await db.selectFrom('run').select('run_id').where('identity_version', '=', 1).execute()
  expect(outdated).toHaveLength(38)
  await db.destroy()
})

test('a run that comes after the rules changed is compared with those from before', async () => {
  const { db, call } = await openOldStore()
  for (const cluster_name of clusters) {
    const query = { cluster_name, environment: 'prod' }
    const [latest] = ((await call('listReports', { query })) as { items: { run_id: string }[] }).items
    const request = { params: { run_id: latest!.run_id }, query: { include_report: true } }
    const { report } = (await call('getReport', request)) as { report: object }
    const body = { cluster: { name: cluster_name }, run: { finished_at: new Date((now - day) * 1000).toISOString() } }
    // Other bytes, the same findings.
    const bytes = Buffer.from(JSON.stringify({ ...report, uploaded: 'again' }))
    const { run_id } = (await call('uploadReport', { body, report: bytes })) as { run_id: string }
    expect(run_id).not.toBe(latest!.run_id)
    const comparison = (await call('compareReports', { query: { to_run_id: run_id } })) as Counts
    expect(comparison).toMatchObject({ ...none, from: { run_id: latest!.run_id } })
  }
  await db.destroy()
})

test('indexing that is stopped goes on where it was, and changes no report', async () => {
  const { db, vault, call } = await openOldStore()
  const reports = async () =>
    (
      await sql`select run_id, key_id, hex(sealed) as sealed from run_part where kind = 'report' order by run_id`.execute(
        db,
      )
    ).rows
  const before = await reports()
  let seen = 0
  const isStopping = () => ++seen > 20
  expect(await reindexRuns(db, { vault, isStopping })).toBe(20)
  const progress: number[] = []
  expect(await reindexRuns(db, { vault, onProgress: (done) => progress.push(done) })).toBe(30)
  expect(progress.at(-1)).toBe(30)
  expect(await reindexRuns(db, { vault })).toBe(0)
  expect(await versions(db)).toEqual([identityVersion])
  expect(await reports()).toEqual(before)
  const first = { cluster_name: 'own', environment: 'prod' }
  expect(await call('compareReports', { query: first })).toMatchObject(none)
  await db.destroy()
})
