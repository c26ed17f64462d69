import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { endMade, findMade } from '../../src/operations/notifications/made.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { makeSmallStore } from '../helpers/small-store.ts'
import { renamedJobs } from '../reports/renamed-job.ts'
import { openSite } from '../server/site.ts'

const image = {
  SchemaVersion: 2,
  ...{ CreatedAt: '2026-08-30T00:00:00Z', ArtifactName: 'shop/db:1', ArtifactType: 'container_image' },
  Results: [
    {
      ...{ Target: 'shop/db:1 (debian 12.5)', Class: 'os-pkgs', Type: 'debian' },
      Vulnerabilities: [
        { VulnerabilityID: 'CVE-2026-1', PkgName: 'ssl', InstalledVersion: '1', Severity: 'HIGH', Title: 'Overflow' },
      ],
    },
  ],
}
const mute = { check: 'CVE-2026-1', all_clusters: true, reason: 'Nobody looks', expires_on: '2026-12-31' }

async function openLeaked() {
  const site = await openSite()
  const { call, ada } = site
  const makeKey = async (scope = 'all') => {
    const { body } = await call('/api-keys', { headers: ada.headers, body: { name: 'x', scope } })
    const authorization = `Basic ${Buffer.from(`ada:${body.password}`).toString('base64')}`
    return { uuid: body.item.uuid as string, headers: { authorization } }
  }
  const upload = { cluster: { name: 'eu' }, environment: 'prod', report: image }
  const { run_id } = (await call('/cluster-reports', { headers: ada.headers, body: upload })).body
  const end = (headers: Record<string, string>) =>
    call(`/cluster-reports/${run_id}/end`, { method: 'PUT', headers, body: { reason: 'gone' } })
  const add = async (headers: Record<string, string>) =>
    (await call('/exceptions', { headers, body: mute })).body.exception_id as string
  const get = async (path: string) => (await call(path, { headers: ada.headers })).body
  const openFindings = async () => (await get('/findings?state=open&check=CVE-2026-1')).items.length
  const revoke = (uuid: string, query: string) =>
    call(`/api-keys/${uuid}${query}`, { method: 'DELETE', headers: ada.headers })
  return { ...site, makeKey, run_id, end, add, get, openFindings, revoke }
}

test('exceptions and ends of subjects that a key made end with it, and nothing of others', async () => {
  const { makeKey, run_id, end, add, get, openFindings, revoke, db } = await openLeaked()
  const [leaked, other] = [await makeKey(), await makeKey()]
  const [made, expired, own] = [await add(leaked.headers), await add(leaked.headers), await add(other.headers)]
  await db.updateTable('exception').set({ ends_at: 1 }).where('exception_id', '=', expired).execute()
  expect((await end(leaked.headers)).status).toBe(200)
  await get('/clusters')
  expect(await openFindings()).toBe(0)
  expect(await get(`/api-keys/${leaked.uuid}/made`)).toMatchObject({
    exceptions: [{ exception_id: made, expires_on: '2026-12-31' }],
    subjects: [{ run_id, cluster_name: 'eu', environment: 'prod', format: 'trivy' }],
  })
  expect(await get(`/api-keys/${other.uuid}/made`)).toMatchObject({ exceptions: [{ exception_id: own }], subjects: [] })

  expect((await revoke(leaked.uuid, '?made=end')).body.ended).toMatchObject({ exceptions: 1, subjects: 1 })
  expect(await get(`/exceptions/${made}`)).toMatchObject({ state: 'expired', ended_by: 'ada' })
  expect((await get(`/exceptions/${own}`)).state).toBe('active')
  expect((await get(`/cluster-reports/${run_id}`)).ended).toBeUndefined()
  expect((await get('/clusters')).items[0].scanners).toHaveLength(1)
  const audit = await db
    .selectFrom('audit')
    .select(['action', 'subject'])
    .where('subject', 'like', '% made by %')
    .execute()
  expect(audit).toEqual([
    { action: 'exception.expire', subject: `${made} made by ${leaked.uuid}` },
    { action: 'subject.begin', subject: `${run_id} made by ${leaked.uuid}` },
  ])
  await revoke(other.uuid, '?made=end')
  expect(await openFindings()).toBe(1)
})

test('they stay if a key is revoked alone, and end with it later; a subject that began again is left', async () => {
  const { makeKey, run_id, end, add, get, revoke, call, ada } = await openLeaked()
  const leaked = await makeKey()
  const made = await add(leaked.headers)
  await end(leaked.headers)
  expect((await revoke(leaked.uuid, '')).body).toEqual({ success: true })
  expect((await get(`/exceptions/${made}`)).state).toBe('active')
  expect((await get(`/cluster-reports/${run_id}`)).ended).toMatchObject({ reason: 'gone' })
  const body = { cluster: { name: 'eu' }, environment: 'prod', report: { ...image, CreatedAt: '2026-08-31T00:00:00Z' } }
  await call('/cluster-reports', { headers: ada.headers, body })
  expect(await get(`/api-keys/${leaked.uuid}/made`)).toMatchObject({ exceptions: [{}], subjects: [] })
  await call(`/exceptions/${made}/expire`, { method: 'POST', headers: ada.headers })
  // Its origin is forgotten with the next key, because nothing of it is left.
  await revoke((await makeKey()).uuid, '')
  expect((await call(`/api-keys/${leaked.uuid}/made`, { headers: ada.headers })).status).toBe(404)
})

test('what was made in a session of a password ends with that password', async () => {
  const { signIn, submit, get, db, ada, clock, run_id } = await openLeaked()
  const { headers, nonce } = await signIn('ada')
  const { fingerprint } = (await get('/findings?check=CVE-2026-1')).items[0]
  const fields = { _wpnonce: nonce, fingerprint, reason: 'Known', expires_on: '2026-12-31' }
  await submit('/exceptions', fields, headers)
  const userId = ada.user.id
  const maker = `password of ${userId}`
  expect((await findMade(db, userId, maker, clock.now)).exceptions).toHaveLength(1)
  const ended = await db.transaction().execute((trx) => endMade(trx, { userId, maker, by: ada.user, now: clock.now }))
  expect(ended).toMatchObject({ exceptions: 1, subjects: 0 })
  expect(run_id).toBeDefined()
})

test.each(['upload', 'read', 'metrics'])('a key of scope %s accepts, ends and renames nothing', async (scope) => {
  const { makeKey, end, call, get } = await openLeaked()
  const { headers } = await makeKey(scope)
  const [{ cluster_id }] = (await get('/clusters')).items
  const refused = [
    await call('/exceptions', { headers, body: mute }),
    await end(headers),
    await call(`/clusters/${cluster_id}`, { method: 'PUT', headers, body: { cluster_name: 'other' } }),
  ]
  for (const { status, body } of refused) expect([status, body.code]).toEqual([403, 'rest_forbidden'])
  expect((await get('/exceptions')).total).toBe(0)
})

test('relt keys revoke lists them, and keeps them with --only', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const run = (line: string) => runCli(line.split(' '), { home })
  const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout)
  await run('admin users add ada')
  const [{ item }, { exception_id }, [{ run_id }]] = [
    await json('keys create ci --as ada'),
    await json('exceptions add --check SEC* --all-clusters --reason Known --until 9d'),
    (await json('reports list')).items,
  ]
  const db = new DatabaseSync(join(home, 'relt.db'))
  db.prepare('update exception set made_by = ?').run(item.uuid)
  db.prepare('update series set made_by = ?, ended_at = 1').run(item.uuid)
  db.close()
  const lines = [
    `  exception ${exception_id} until 2026-09-10`,
    `  end of what kubebuddy scanned in shop-prod (prod), ${run_id}`,
  ]
  const second = await json('keys create other --as ada')
  expect((await run(`keys revoke ${second.item.uuid} --as ada --yes`)).stderr).not.toContain('Made with')
  const only = await run('keys revoke ci --as ada --yes --only')
  expect(only.stderr).toContain(['Made with it:', ...lines].join('\n'))
  expect((await json(`exceptions show ${exception_id}`)).state).toBe('active')
})

test('relt keys revoke ends them', async () => {
  const home = temporaryFolder()
  await makeSmallStore(home)
  const run = (line: string) => runCli(line.split(' '), { home })
  const json = async (line: string) => JSON.parse((await run(`${line} --json`)).stdout)
  await run('admin users add ada')
  const { item } = await json('keys create ci --as ada')
  const { exception_id } = await json('exceptions add --check SEC* --all-clusters --reason Known --until 9d')
  const db = new DatabaseSync(join(home, 'relt.db'))
  db.prepare('update exception set made_by = ?').run(item.uuid)
  db.close()
  expect((await run('keys revoke ci --as ada --yes')).stderr).toContain('and ended 1 thing')
  expect((await json(`exceptions show ${exception_id}`)).state).toBe('expired')
})

test('a run that a leaked key took in, and the passes that rest on it, end with the key', async () => {
  const { makeKey, run_id, call, get, revoke, ada } = await openLeaked()
  const leaked = await makeKey()
  const send = (headers: Record<string, string>, at: string) =>
    call('/cluster-reports', {
      headers,
      body: { cluster: { name: 'eu' }, environment: 'prod', report: { ...image, CreatedAt: at } },
    })
  const baseline = async (id: string) =>
    (await get(`/gate-baselines?run_id=${id}&rules=${encodeURIComponent('new>=high')}`)).items[0]
  const body = { run_id, reason: 'Mine' }
  expect((await call('/gate-baselines', { headers: leaked.headers, body })).status).toBe(201)
  const { run_id: next } = (await send(ada.headers, '2026-08-31T00:00:00Z')).body
  expect(await baseline(next)).toMatchObject({ run_id, why: 'taken_in' })
  const record = {
    policy: { name: 'p', digest: 'a3'.repeat(32) },
    rules: [{ rule: 'new>=high', verdict: 'passed', reason: '', excepted: 0, moves: { held: [] } }],
  }
  await call(`/cluster-reports/${next}/gate`, { method: 'PUT', headers: ada.headers, body: record })
  const { run_id: last } = (await send(ada.headers, '2026-09-01T00:00:00Z')).body
  expect(await baseline(last)).toMatchObject({ run_id: next, why: 'passed' })
  expect(await get(`/api-keys/${leaked.uuid}/made`)).toMatchObject({ baselines: [{ run_id }] })
  await revoke(leaked.uuid, '?made=end')
  expect(await baseline(last)).toMatchObject({ why: 'begun' })
  const upload = await makeKey('upload')
  expect((await call('/gate-baselines', { headers: upload.headers, body })).status).toBe(403)
})

test('a workload that a leaked key split from its former name is joined again', async () => {
  const { makeKey, call, get, revoke, ada } = await openLeaked()
  const leaked = await makeKey()
  const runs: string[] = []
  for (const [i, report] of renamedJobs(['app-migrate', 'seeder']).entries()) {
    const run = { finished_at: `2026-08-${10 + i}T00:00:00Z` }
    const body = { cluster: { name: 'us' }, run, report }
    runs.push((await call('/cluster-reports', { headers: ada.headers, body })).body.run_id)
  }
  const news = async () =>
    (await get(`/cluster-reports/compare?from_run_id=${runs[0]}&to_run_id=${runs[1]}`)).new_findings
  expect(await news()).toEqual([])
  const split = async (headers: Record<string, string>, workload: string) => {
    const body = { run_id: runs[1], namespace: 'default', workload }
    return (await call('/findings/splits', { headers, body })).status
  }
  expect(await split(leaked.headers, 'app-migrate-42')).toBe(201)
  expect(await split(ada.headers, 'seeder-42')).toBe(201)
  expect(await news()).toHaveLength(10)
  expect(await get(`/api-keys/${leaked.uuid}/made`)).toMatchObject({ splits: [{ run_id: runs[1] }] })
  await revoke(leaked.uuid, '?made=end')
  expect(await news()).toHaveLength(5)
  expect(await split((await makeKey('upload')).headers, 'app-migrate-42')).toBe(403)
  expect(await split(ada.headers, 'app-migrate-42')).toBe(201)
  expect(await news()).toHaveLength(10)
})
