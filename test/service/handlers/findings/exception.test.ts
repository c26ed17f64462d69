import { expect, test } from 'vitest'
import type { NewRelease } from '../../../../src/contract/project.ts'
import { setMeta } from '../../../../src/db/meta.ts'
import type { Db } from '../../../../src/db/open.ts'
import { addMember } from '../../../../src/operations/accounts/grant.ts'
import { adopt } from '../../../../src/operations/fleet/adopt.ts'
import { findOwner } from '../../../../src/store/accounts/owner.ts'
import { addTeam } from '../../../../src/store/accounts/team.ts'
import { insertRelease } from '../../../../src/store/catalog/release-change.ts'
import { listEndingExceptions } from '../../../../src/store/findings/exception.ts'
import { findPiece, listPlaces, replacePiece } from '../../../../src/store/keys/sealed-piece.ts'
import { formatTimestamp } from '../../../../src/util/time.ts'
import { day, dump, now, openService, refusalFor } from '../../../operations/service.ts'
import { project, release, save } from '../../../store/bundled.ts'

const target = { check: 'SEC001', namespace: 'shop', reason: 'Ticket 4711', expires_on: '2026-10-31' }
const input = { ...target, all_clusters: true }
const everywhere = { cluster_name: null, environment: null }

async function openTeam() {
  const service = await openService()
  const { db, vault } = service
  const teamId = await addTeam(db, 'platform', now)
  const [ada, bea, eve] = [await service.addUser('ada'), await service.addUser('bea'), await service.addUser('eve')]
  for (const user of [ada, bea]) {
    const role = user === ada ? 'member' : 'viewer'
    await addMember(db, vault, { teamId, userId: user.id, role })
  }
  return { ...service, ada, bea, eve }
}

test('an exception carries who added it, why, since when and until when', async () => {
  const { call, ada, bea, eve } = await openTeam()
  const { exception_id } = await call('createException', { user: ada, body: input })
  const params = { exception_id }
  expect(await call('getException', { user: bea, params })).toMatchObject({
    ...{ ...target, ...everywhere, resource: null, fingerprint: null, state: 'active', ended_at: null, ended_by: null },
    ...{ created_by: 'ada', created_at: '2026-09-01 12:00:00' },
  })
  expect(await refusalFor(call('getException', { user: eve, params }))).toBe(
    `not_found: No exception with id ${exception_id}.`,
  )
  expect(await refusalFor(call('expireException', { user: eve, params }))).toContain('not_found')
  expect(await refusalFor(call('expireException', { user: bea, params }))).toContain('This needs the role member')
})

test('an exception applies through its last day, or until somebody ends it', async () => {
  const { call, clock, ada } = await openTeam()
  const last = { ...input, expires_on: '2026-09-02' }
  const { exception_id } = await call('createException', { user: ada, body: last })
  const params = { exception_id }
  const state = async () => (await call('getException', { user: ada, params })).state
  clock.now = Date.UTC(2026, 8, 2, 23, 59, 59) / 1000
  expect(await state()).toBe('active')
  clock.now++
  expect(await state()).toBe('expired')
  const other = await call('createException', { user: ada, body: input })
  const end = () => call('expireException', { user: ada, params: { exception_id: other.exception_id } })
  const ended = { state: 'expired', ended_by: 'ada', ended_at: '2026-09-03 00:00:00' }
  expect(await end()).toMatchObject(ended)
  clock.now += day
  // Ending it again changes nothing.
  expect(await end()).toMatchObject(ended)
})

test('lists are of active, expired, expiring and recently ended exceptions', async () => {
  const { call, clock, ada } = await openTeam()
  for (const expires_on of ['2026-09-01', '2026-09-15', '2026-09-16', '2026-12-31']) {
    await call('createException', { user: ada, body: { ...input, expires_on } })
  }
  const days = async (query: object) =>
    (await call('listExceptions', { user: ada, query })).items.map((each) => each.expires_on.slice(5))
  expect(await days({})).toEqual(['09-01', '09-15', '09-16', '12-31'])
  expect(await days({ expiring_days: 14 })).toEqual(['09-01', '09-15'])
  clock.now += day
  expect(await days({ state: 'active' })).toEqual(['09-15', '09-16', '12-31'])
  expect(await days({ state: 'expired' })).toEqual(['09-01'])
  expect(await days({ state: 'active', per_page: 1, page: 2 })).toEqual(['09-16'])
  clock.now += 2 * day
  expect(await days({ ended_days: 1 })).toEqual(['09-15', '09-16', '12-31'])
  expect(await days({ expiring_days: 13 })).toEqual(['09-15', '09-16'])
})

/** Instead of the bundled catalog. */
async function saveProject(db: Db, releases: ReturnType<typeof release>[]) {
  await save(db, [project('grafana', { releases })], now)
  await setMeta(db, 'catalog_date', '2099-01-01')
}

const publish = (db: Db, version: string, at: number, more: Partial<NewRelease> = {}) =>
  insertRelease(db, { product_id: 1, version, type: 'app', published_at: at, ...more }, '', at)

test('the next release of a project ends an exception, and nothing else that is published', async () => {
  const { call, clock, db, ada } = await openTeam()
  await saveProject(db, [release('v1.0.0', formatTimestamp(now - 9 * day))])
  const body = { ...input, expires_on: '2026-12-31', next_release_of: 1 }
  const { exception_id, next_release } = await call('createException', { user: ada, body })
  expect(next_release).toEqual({ product_id: 1, slug: 'grafana', name: 'grafana', version: null })
  const get = () => call('getException', { user: ada, params: { exception_id } })
  const active = async () => (await call('listExceptions', { user: ada, query: { state: 'active' } })).total
  clock.now += day
  await publish(db, 'v1.1.0-rc1', clock.now, { type: 'pre' })
  await publish(db, 'v0.9.0', now - 20 * day)
  const withdrawn = await publish(db, 'v1.0.1', clock.now)
  await db.updateTable('release').set({ fault: 'withdrawn' }).where('id', '=', withdrawn).execute()
  expect([(await get()).state, await active()]).toEqual(['active', 1])
  await publish(db, 'v1.1.0', clock.now)
  clock.now += day
  await publish(db, 'v1.2.0', clock.now)
  const ended = { state: 'expired', ended_at: '2026-09-02 12:00:00', ended_by: null, expires_on: '2026-12-31' }
  expect(await get()).toMatchObject({ ...ended, next_release: { version: 'v1.1.0' } })
  expect(await active()).toBe(0)
  expect((await call('listExceptions', { user: ada, query: { state: 'expired', ended_days: 2 } })).total).toBe(1)
  // Ending it by hand changes nothing.
  expect(await call('expireException', { user: ada, params: { exception_id } })).toMatchObject(ended)
  expect(await listEndingExceptions(db, { after: clock.now, until: clock.now + 200 * day })).toEqual([])
})

test('a release that was published earlier, and is known only now, is the next one', async () => {
  const { call, clock, db, ada } = await openTeam()
  await saveProject(db, [release('v1.0.0', formatTimestamp(now - 9 * day))])
  const body = { ...input, next_release_of: 1 }
  const { exception_id } = await call('createException', { user: ada, body })
  await insertRelease(
    db,
    { product_id: 1, version: 'v1.1.0', type: 'helm', published_at: now - day },
    'grafana',
    now + 60,
  )
  clock.now += 60
  const found = await call('getException', { user: ada, params: { exception_id } })
  expect(found).toMatchObject({ state: 'expired', ended_at: '2026-09-01 12:01:00' })
})

test('a release of a newer bundled catalog ends it when it is imported, and not at its start', async () => {
  const { call, clock, db, ada } = await openTeam()
  const known = release('v1.0.0', formatTimestamp(now - 9 * day))
  await saveProject(db, [known])
  const body = { ...input, next_release_of: 1 }
  const { exception_id } = await call('createException', { user: ada, body })
  clock.now += 5 * day
  const newer = release('v1.1.0', formatTimestamp(now - day))
  await save(db, [project('grafana', { releases: [known, newer] })], clock.now, { isUpgrade: true })
  const found = await call('getException', { user: ada, params: { exception_id } })
  expect(found).toMatchObject({ state: 'expired', ended_at: '2026-09-06 12:00:00' })
})

test('an exception waits at most 180 days for a release of a project that exists', async () => {
  const { call, db, ada } = await openTeam()
  await saveProject(db, [])
  const create = (expires_on: string, next_release_of: number) =>
    refusalFor(call('createException', { user: ada, body: { ...input, expires_on, next_release_of } }))
  expect(await create('2027-03-01', 1)).toContain('expires_on')
  expect(await create('2027-02-28', 2)).toContain('No project with id 2.')
  // No release is known, so the first that is published from now on ends it.
  const body = { ...input, expires_on: '2027-02-28', next_release_of: 1 }
  expect(await call('createException', { user: ada, body })).toMatchObject({ state: 'active' })
  await publish(db, 'v1.0.0', now - day)
  expect((await call('listExceptions', { user: ada, query: { state: 'active' } })).total).toBe(1)
})

test.each([
  [{ ...input, fingerprint: '0'.repeat(32) }, 'fingerprint'],
  [{ reason: 'x', expires_on: '2026-10-31', all_clusters: true }, 'check'],
  [target, 'cluster_name'],
  [{ ...target, environment: 'prod' }, 'cluster_name'],
  [{ ...target, all_clusters: false }, 'cluster_name'],
  [{ ...input, cluster_name: 'shop' }, 'cluster_name'],
  [{ fingerprint: '0'.repeat(32), reason: 'x', expires_on: '2026-10-31' }, 'cluster_name'],
  [{ ...input, artifact: 'nginx:*' }, 'artifact'],
  [{ ...input, advisory: 'CVE-2026-1234' }, 'advisory'],
  [{ ...input, justification: 'component_not_present' }, 'justification'],
  [{ ...input, expires_on: '2026-08-31' }, 'expires_on'],
  [{ ...input, expires_on: '2027-02-30' }, 'expires_on'],
])('%j is refused by the name of what is wrong', async (body, name) => {
  const { call, db, ada } = await openTeam()
  expect(await refusalFor(call('createException', { user: ada, body }))).toBe(
    `invalid_param: Invalid parameter(s): ${name}`,
  )
  expect((await dump(db)).exception).toEqual([])
})

test('what an exception names lies sealed in the store', async () => {
  const { call, db, ada } = await openTeam()
  await call('createException', { user: ada, body: { ...input, resource: 'pod/secret-cart', reason: 'secret-reason' } })
  expect(JSON.stringify((await dump(db)).exception)).not.toContain('secret-')
  const [row] = await db.selectFrom('exception').select('sealed').execute()
  expect(Buffer.from(row!.sealed).toString('latin1')).not.toContain('secret-')
})

test('the calls are in the audit', async () => {
  const { call, db, ada } = await openTeam()
  const { exception_id } = await call('createException', { user: ada, body: input })
  await call('expireException', { user: ada, params: { exception_id } })
  const entries = await db.selectFrom('audit').select(['login', 'action', 'subject']).orderBy('id').execute()
  expect(entries).toEqual([
    { login: 'ada', action: 'exception.create', subject: exception_id },
    { login: 'ada', action: 'exception.expire', subject: exception_id },
  ])
})

test('exceptions are sealed again with a new key, and adopted with the rest', async () => {
  const { call, db, bea, eve, vault } = await openTeam()
  await call('createException', { user: eve, body: input })
  const [place] = await listPlaces(db)
  expect(place).toMatchObject({ table: 'exception', kind: 'exception' })
  const old = (await findPiece(db, place!))!
  const plain = vault.open(old.owner, old)
  expect(JSON.parse(plain.toString())).toMatchObject({ check: 'SEC001', reason: 'Ticket 4711' })
  await replacePiece(db, place!, old, vault.seal(old.owner, old.kind, old.part, plain))
  expect((await findPiece(db, place!))?.sealed).not.toEqual(old.sealed)
  const owners = { from: (await findOwner(db, eve.id))!.id, to: (await findOwner(db, bea.id))!.id }
  await adopt(db, { ...owners, login: 'eve', vault, now })
  expect((await call('listExceptions', { user: bea })).items).toMatchObject([{ check: 'SEC001', created_by: 'eve' }])
  expect(await call('listExceptions', { user: eve })).toMatchObject({ total: 0 })
})

test('an exception of a finding applies in the cluster that has it, scanned last, or in the one that is named', async () => {
  const { call, clock, upload } = await openService()
  const inCluster = (name: string, environment: string, day: number, check = 'SEC001') =>
    upload([{ check }], {
      generatedAt: `2026-08-${day}T00:00:00Z`,
      passed: ['SEC001', 'SEC002'],
      body: { cluster: { name }, environment },
    })
  await inCluster('eu', 'prod', 20)
  await inCluster('eu', 'test', 22)
  await inCluster('us', 'prod', 21)
  // It had the finding, and was scanned last.
  await inCluster('apac', 'prod', 19)
  await inCluster('apac', 'prod', 25, 'SEC002')
  const { items } = await call('listFindings', { query: { check: 'SEC001' } })
  const create = async (more: object) => {
    const body = { fingerprint: items[0]!.fingerprint!, reason: 'Known', expires_on: '2026-10-31', ...more }
    const { cluster_name, environment, finding } = await call('createException', { body })
    return [cluster_name, environment, finding?.check_id]
  }
  expect(await create({})).toEqual(['eu', 'test', 'SEC001'])
  expect(await create({ cluster_name: 'us' })).toEqual(['us', 'prod', 'SEC001'])
  expect(await create({ environment: 'prod' })).toEqual(['us', 'prod', 'SEC001'])
  expect(await create({ cluster_name: 'apac' })).toEqual(['apac', 'prod', 'SEC001'])
  expect(await create({ cluster_name: 'later' })).toEqual(['later', null, undefined])
  expect(await create({ all_clusters: true, environment: 'prod' })).toEqual([null, 'prod', 'SEC001'])
  clock.now += day
  const { run_id } = await inCluster('us', 'prod', 31)
  expect(await create({})).toEqual(['us', 'prod', 'SEC001'])
  const rules = [{ rule: 'findings>=low', verdict: 'failed' as const, reason: '1 finding', excepted: 0 }]
  await call('recordGate', { params: { run_id }, body: { policy: { name: 'p', digest: 'a'.repeat(64) }, rules } })
  const { items: all } = await call('listExceptions', { query: { include_matched: true } })
  const effects = all.map(({ cluster_name, environment, matched, failed_gates }) => [
    `${cluster_name} ${environment}`,
    matched,
    failed_gates!.map((gate) => [gate.cluster_name, gate.run_id, gate.matched]),
  ])
  expect(effects.slice(0, 6)).toEqual([
    ['eu test', 1, []],
    ['us prod', 1, [['us', run_id, 1]]],
    ['us prod', 1, [['us', run_id, 1]]],
    ['apac prod', 0, []],
    ['later null', 0, []],
    ['null prod', 2, [['us', run_id, 1]]],
  ])
})
