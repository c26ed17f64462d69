import { expect, test } from 'vitest'
import { addMember } from '../../../src/operations/accounts/grant.ts'
import { adopt, hasLocalClusters } from '../../../src/operations/fleet/adopt.ts'
import { getOwnAccount } from '../../../src/store/accounts/owner.ts'
import { addTeam, getTeamOwner } from '../../../src/store/accounts/team.ts'
import { getLocalUser, type User } from '../../../src/store/accounts/user.ts'
import { day, dump, now, openService } from '../service.ts'

const at = (days: number) => new Date((now - days * day) * 1000).toISOString()
const row = (message: string) => ({ check: 'SEC001', severity: 'high', resource: 'pod/a', message })

/** ada is in the team; bea has runs of her own. */
async function openTeam() {
  const service = await openService()
  const { db, vault } = service
  const teamId = await addTeam(db, 'platform', now)
  const [ada, bea] = [await service.addUser('ada'), await service.addUser('bea')]
  await addMember(db, vault, { teamId, userId: ada.id, role: 'owner' })
  const adoptFrom = async (user: User) => {
    const owners = { from: await getOwnAccount(db, user.id), to: await getTeamOwner(db, 'platform') }
    return db.transaction().execute((trx) => adopt(trx, { ...owners, login: user.login, vault, now }))
  }
  const runsFor = async (user: User) =>
    (await service.call('listReports', { user, query: { per_page: 100 } })).items.map(({ run_id }) => run_id)
  return { ...service, ada, bea, adoptFrom, runsFor }
}

test('clusters that the team does not have become those of the team as they are', async () => {
  const { upload, bea, ada, adoptFrom, runsFor, call } = await openTeam()
  const one = await upload([row('a')], { user: bea, generatedAt: at(2) })
  const two = await upload([row('b')], { user: bea, generatedAt: at(1) })
  await call('createConfig', { user: bea, body: { name: 'shop' } })
  expect(await adoptFrom(bea)).toEqual({
    clusters: 1,
    merged: 0,
    runs: 2,
    duplicates: 0,
    profiles: 1,
    exceptions: 0,
    renamed: [],
  })
  expect(await runsFor(ada)).toEqual([two.run_id, one.run_id])
  expect(await runsFor(bea)).toEqual([])
  expect(await call('listConfigs', { user: ada })).toMatchObject({ items: [{ name: 'shop' }] })
  expect(
    await call('getReport', { user: ada, params: { run_id: one.run_id }, query: { include_report: true } }),
  ).toHaveProperty('report')
})

test('runs of a cluster of the same name join its runs in the order of their scans', async () => {
  const { db, upload, ada, bea, adoptFrom, runsFor, call } = await openTeam()
  const first = await upload([row('old'), row('stays')], { user: bea, generatedAt: at(4) })
  const second = await upload([row('stays')], { user: ada, generatedAt: at(3) })
  const third = await upload([row('stays')], { user: bea, generatedAt: at(2), passed: ['X'] })
  const fourth = await upload([row('old'), row('stays')], { user: ada, generatedAt: at(1) })
  const compare = () => call('compareReports', { user: ada, query: { to_run_id: fourth.run_id } })
  expect(await compare()).toMatchObject({ new_findings_count: 1, regressed_findings_count: 0 })
  expect(await adoptFrom(bea)).toMatchObject({ clusters: 1, merged: 1, runs: 2, duplicates: 0 })
  expect(await runsFor(ada)).toEqual([fourth, third, second, first].map(({ run_id }) => run_id))
  // The finding was in a run that the team did not have before.
  expect(await compare()).toMatchObject({
    new_findings_count: 0,
    regressed_findings_count: 1,
    from: { run_id: third.run_id },
  })
  expect(await db.selectFrom('cluster').select('name').execute()).toHaveLength(1)
})

test('the merged history is that of the same runs in one cluster from the start', async () => {
  const merged = await openTeam()
  const single = await openTeam()
  const reports = [['a'], ['a', 'b'], ['b', 'c'], ['a', 'd'], []].map((messages, index) => ({
    rows: messages.map(row),
    options: { generatedAt: at(9 - index), passed: ['SEC001', `P${index}`] },
  }))
  for (const [index, { rows, options }] of reports.entries()) {
    await merged.upload(rows, { ...options, user: index % 2 === 0 ? merged.ada : merged.bea })
    await single.upload(rows, { ...options, user: single.ada })
  }
  await merged.adoptFrom(merged.bea)
  const history = async ({ db, vault }: typeof merged) => {
    const rows = await db.selectFrom('finding_history').select(['fingerprint', 'first_at']).execute()
    return rows.map((each) => `${vault.showFingerprints(each.fingerprint).toString('hex')} ${each.first_at}`).sort()
  }
  expect(await history(merged)).toEqual(await history(single))
  expect(await history(merged)).toHaveLength(4)
})

test('a run that the team has already is not stored twice', async () => {
  const { upload, db, ada, bea, adoptFrom, runsFor, call } = await openTeam()
  const options = { generatedAt: at(2) }
  const kept = await upload([row('a')], { ...options, user: ada })
  await upload([row('a')], { ...options, user: bea })
  const other = await upload([row('b')], { user: bea, generatedAt: at(1) })
  expect(await adoptFrom(bea)).toMatchObject({ merged: 1, runs: 1, duplicates: 1 })
  expect(await runsFor(ada)).toEqual([other.run_id, kept.run_id])
  expect(await db.selectFrom('finding_history').select('first_run_id').distinct().execute()).toHaveLength(2)
  // A deleted run hands its findings on: no history points at the run that went.
  await call('deleteReport', { user: ada, params: { run_id: kept.run_id } })
  expect(await db.selectFrom('finding_history').select('first_run_id').execute()).toHaveLength(1)
})

test('two uploads with one idempotency key both stay', async () => {
  const { upload, ada, bea, adoptFrom, runsFor } = await openTeam()
  const one = await upload([row('a')], { user: ada, generatedAt: at(2), idempotencyKey: 'nightly' })
  const two = await upload([row('b')], { user: bea, generatedAt: at(1), idempotencyKey: 'nightly' })
  expect(await adoptFrom(bea)).toMatchObject({ runs: 1, duplicates: 0 })
  expect(await runsFor(ada)).toEqual([two.run_id, one.run_id])
  expect(await upload([row('c')], { user: ada, idempotencyKey: 'nightly' })).toMatchObject({ run_id: one.run_id })
})

test('a profile whose name is taken gets the login of its user', async () => {
  const { call, ada, bea, adoptFrom } = await openTeam()
  for (const user of [ada, bea]) await call('createConfig', { user, body: { name: 'shop', cluster_name: user.login } })
  expect(await adoptFrom(bea)).toMatchObject({ profiles: 1, renamed: [{ from: 'shop', to: 'shop (bea)' }] })
  const { items } = await call('listConfigs', { user: ada, query: { include: 'settings' } })
  expect(items.map(({ name, cluster_name }) => `${name} ${cluster_name}`)).toEqual(['shop ada', 'shop (bea) bea'])
})

test('nothing changes when adopting fails half-way', async () => {
  const { db, vault, upload, ada, bea } = await openTeam()
  await upload([row('a')], { user: ada, generatedAt: at(2) })
  await upload([row('b')], { user: bea, generatedAt: at(1) })
  const before = await dump(db)
  const owners = { from: await getOwnAccount(db, bea.id), to: await getTeamOwner(db, 'platform') }
  const failing = db.transaction().execute(async (trx) => {
    await adopt(trx, { ...owners, login: 'bea', vault, now })
    throw new Error('power cut')
  })
  await expect(failing).rejects.toThrow('power cut')
  expect(await dump(db)).toEqual(before)
})

test('the local user has clusters until a team takes them', async () => {
  const { db, upload, bea, adoptFrom } = await openTeam()
  await upload([row('a')], { user: bea })
  expect(await hasLocalClusters(db)).toBe(false)
  await upload([row('a')])
  expect(await hasLocalClusters(db)).toBe(true)
  await adoptFrom(await getLocalUser(db, now))
  expect(await hasLocalClusters(db)).toBe(false)
})
