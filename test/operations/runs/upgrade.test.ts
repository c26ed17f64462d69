import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { readPlans } from '../../../src/config/plans.ts'
import type { RouteAnswer, RouteName } from '../../../src/contract/routes.ts'
import { openDatabase } from '../../../src/db/open.ts'
import { authenticateBasic, findSession } from '../../../src/operations/accounts/authenticate.ts'
import { recordLength } from '../../../src/reports/finding-records.ts'
import { fingerprintLength } from '../../../src/reports/fingerprint.ts'
import { readScan } from '../../../src/reports/formats/index.ts'
import type { Request } from '../../../src/service/handler.ts'
import { invoke } from '../../../src/service/invoke.ts'
import { findUser, removeUser } from '../../../src/store/accounts/user.ts'
import { parseTexts } from '../../../src/util/json-text.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { makeVault } from '../../helpers/vault.ts'

interface Answers {
  reports: { run_id: string; report: unknown }[]
  comparisons: { from: { run_id: string }; to: { run_id: string } }[]
  configs: { items: { config_id: string }[] }
  subscriptions: { subscriptions: object[] }
}

/** What the release before answered on the store that it wrote. */
interface Written {
  now: number
  keys: Record<'ada' | 'bob', string[]>
  session: { token: string; nonce: string }
  answers: Record<'ada' | 'bob', Answers>
}

const fixture = (name: string) =>
  zstdDecompressSync(readFileSync(new URL(`../../fixtures/${name}.zst`, import.meta.url)))

const written: Written = JSON.parse(fixture('store-v7.json').toString())
const logins = ['ada', 'bob'] as const

/** A store of the release before: two users with keys and a session, runs of two clusters, profiles and webhooks. */
async function openOldStore(change?: (old: DatabaseSync) => void) {
  const folder = temporaryFolder()
  const file = join(folder, 'relt.db')
  writeFileSync(file, fixture('store-v7.db'))
  if (change) {
    const old = new DatabaseSync(file)
    change(old)
    old.close()
  }
  const db = await openDatabase(file)
  onTestFinished(() => db.destroy())
  const vault = await makeVault(db, Buffer.alloc(32, 7))
  const service = { db, vault: async () => vault, plans: readPlans({}), now: () => written.now }
  const call = async (login: string, name: RouteName, request: Partial<Request> = {}): Promise<unknown> =>
    parseTexts(await invoke(service, name, { user: await findUser(db, login), ...request }))
  return { folder, file, db, vault, service, call }
}

test('all keys sign in after the upgrade, and the session is alive', async () => {
  const { service } = await openOldStore()
  for (const login of logins) {
    for (const key of written.keys[login]) {
      expect(await authenticateBasic(service, login, key, written.now)).toMatchObject({ login })
    }
  }
  const { token, nonce } = written.session
  expect(await findSession(service, token, written.now)).toMatchObject({ nonce, user: { login: 'ada' } })
})

test('all runs, profiles and webhooks open after the upgrade', async () => {
  const { call } = await openOldStore()
  for (const login of logins) {
    const { reports, configs, subscriptions } = written.answers[login]
    expect(reports.length).toBeGreaterThan(1)
    for (const before of reports) {
      const request = { params: { run_id: before.run_id }, query: { include_report: true } }
      expect(await call(login, 'getReport', request)).toMatchObject(before)
    }
    for (const before of configs.items) {
      expect(await call(login, 'getConfig', { params: { config_id: before.config_id } })).toMatchObject(before)
    }
    expect(await call(login, 'listSubscriptions')).toMatchObject(subscriptions)
  }
})

test('each webhook is alive after the upgrade, one in clear included, and none lies open', async () => {
  const clear = 'https://hooks.example.com/services/T0/B0/in-clear'
  const { db, file, call } = await openOldStore((old) => {
    old.prepare('update user set teams_webhook = ? where login = ?').run(clear, 'ada')
    old.prepare('update subscription set generic_webhook = ?').run(clear)
  })
  const { slack_webhook, teams_webhook, generic_webhook } = (await call(
    'ada',
    'getDashboard',
  )) as RouteAnswer<'getDashboard'>
  expect({ slack_webhook, teams_webhook, generic_webhook }).toEqual({
    slack_webhook: expect.stringMatching(/^https:/),
    teams_webhook: clear,
    generic_webhook: null,
  })
  const [before] = written.answers.bob.subscriptions.subscriptions
  const { subscriptions } = (await call('bob', 'listSubscriptions')) as { subscriptions: object[] }
  expect(subscriptions).toMatchObject([{ ...before, generic_webhook: clear, webhook_url: clear }])
  const rows = await db.selectFrom('webhook').select(['user_id', 'subscription_id', 'channel']).execute()
  expect(rows).toEqual(
    expect.arrayContaining([
      { user_id: 1, subscription_id: null, channel: 'slack' },
      { user_id: 1, subscription_id: null, channel: 'teams' },
      { user_id: 3, subscription_id: 1, channel: 'teams' },
      { user_id: 3, subscription_id: 1, channel: 'generic' },
    ]),
  )
  expect(rows).toHaveLength(4)
  await sql`pragma wal_checkpoint(truncate)`.execute(db)
  expect(readFileSync(file).includes('in-clear')).toBe(false)
})

test('webhooks go with their subscription and their account', async () => {
  const { db, call } = await openOldStore()
  const count = async () => (await db.selectFrom('webhook').select('id').execute()).length
  expect(await count()).toBe(2)
  const { subscriptions } = (await call('bob', 'listSubscriptions')) as { subscriptions: { product_id: number }[] }
  await call('bob', 'toggleSubscription', { body: { product_id: subscriptions[0]!.product_id } })
  expect(await count()).toBe(1)
  await removeUser(db, 'ada')
  expect(await count()).toBe(0)
})

test('a webhook that was sealed with a retired key is refused', async () => {
  const { db } = await openOldStore()
  const [webhook] = await db.selectFrom('webhook').selectAll().execute()
  const [retired] = await db.selectFrom('data_key').select('id').where('retired_at', 'is not', null).execute()
  const { id: _, ...row } = { ...webhook!, channel: 'generic' as const, key_id: retired!.id }
  await expect(db.insertInto('webhook').values(row).execute()).rejects.toThrow('retired data key')
  const update = db.updateTable('webhook').set({ key_id: retired!.id }).where('id', '=', webhook!.id)
  await expect(update.execute()).rejects.toThrow('retired data key')
})

test('every comparison says after the upgrade what it said before, a finding that came back after years included', async () => {
  const { call } = await openOldStore()
  const regressed: unknown[] = []
  for (const login of logins) {
    for (const before of written.answers[login].comparisons) {
      const query = { from_run_id: before.from.run_id, to_run_id: before.to.run_id }
      const after = await call(login, 'compareReports', { query })
      expect(after).toMatchObject(before)
      regressed.push(...(after as { regressed_findings: unknown[] }).regressed_findings)
    }
  }
  expect(regressed).toContainEqual(expect.objectContaining({ check_id: 'NET002', resource: 'service/grafana' }))
})

test('a report that comes again after the upgrade is known', async () => {
  const { call } = await openOldStore()
  const [{ run_id, report }] = written.answers.bob.reports as [Answers['reports'][number]]
  const again = { body: {}, report: Buffer.from(JSON.stringify(report)) }
  expect(await call('bob', 'uploadReport', again)).toMatchObject({ run_id, duplicate: true })
})

test('a guess of a finding or a report is nowhere in the store, neither old nor new', async () => {
  const { db, call } = await openOldStore()
  const finding = (i: number) => ({ Namespace: `ns-${i % 7}`, Resource: `deployment/app-${i}`, Message: 'No limits' })
  const report = (generatedAt: string) => ({
    metadata: { clusterName: 'new', generatedAt },
    checks: { WRK005: { ID: 'WRK005', Name: 'Limits', Severity: 'warning', Total: 3, Items: [0, 1, 2].map(finding) } },
  })
  const uploaded = Buffer.from(JSON.stringify(report('2026-09-01T10:00:00Z')))
  await call('bob', 'uploadReport', { body: {}, report: uploaded })
  const guesses = await fingerprintsOf(uploaded)
  for (const login of logins) {
    for (const { report } of written.answers[login].reports) {
      guesses.push(...(await fingerprintsOf(Buffer.from(JSON.stringify(report)))))
    }
  }
  expect(guesses.length).toBeGreaterThan(100)
  const { rows } = await sql<{ stored: string }>`
    select hex(records) as stored from run_finding union all select hex(fingerprint) from finding_history
    union all select hex(content_hash) from run`.execute(db)
  const stored = rows.map((row) => row.stored.toLowerCase()).join('\n')
  expect(guesses.filter((guess) => stored.includes(guess))).toEqual([])
})

/** What anybody can compute who knows the rules, which are public. */
async function fingerprintsOf(report: Buffer): Promise<string[]> {
  const { index } = await readScan(report, 'auto')
  const { records } = index
  return Array.from({ length: records.length / recordLength }, (_, i) =>
    records.toString('hex', i * recordLength, i * recordLength + fingerprintLength),
  )
}

test('nothing new is sealed with the former master key', async () => {
  const { db, call } = await openOldStore()
  const former = await db.selectFrom('data_key').selectAll().where('retired_at', 'is not', null).execute()
  expect(former).toHaveLength(1)
  const [{ report }] = written.answers.bob.reports as [Answers['reports'][number]]
  const body = { cluster: { name: 'another' } }
  const added = await call('bob', 'uploadReport', { body, report: Buffer.from(JSON.stringify(report)) })
  const keys = await db
    .selectFrom('run_part')
    .innerJoin('run', 'run.id', 'run_part.run_id')
    .select('key_id')
    .distinct()
    .where('run.run_id', '=', (added as { run_id: string }).run_id)
    .execute()
  expect(keys).toHaveLength(1)
  expect(keys[0]!.key_id).not.toBe(former[0]!.id)
})
