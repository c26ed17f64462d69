import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createAdvisoryLookUp } from '../../../src/collectors/advisory-look-up.ts'
import { syncAdvisories } from '../../../src/operations/catalog/sync-advisories.ts'
import { saveCollected } from '../../../src/store/catalog/collected-release.ts'
import { openHttp } from '../../collectors/http.ts'
import { openLocalServer, sendJson } from '../../collectors/local-server.ts'
import { addProjects } from '../../collectors/projects.ts'
import { temporaryFolder } from '../../helpers/cli.ts'
import { day, dump, now, openService } from '../service.ts'

const ghsa = 'GHSA-23cf-45gh-67jm'
const vulnerability = {
  id: ghsa,
  aliases: ['CVE-2026-1111'],
  summary: 'Bad',
  database_specific: { severity: 'HIGH' },
}

/** OSV with one advisory under both of its ids. */
async function openOsv() {
  const state: { status: number; known: Record<string, object> } = {
    status: 404,
    known: { [ghsa]: vulnerability, 'CVE-2026-1111': { ...vulnerability, id: 'CVE-2026-1111', aliases: [ghsa] } },
  }
  const osv = await openLocalServer(({ path }, response) => {
    const found = state.known[path.slice('/v1/vulns/'.length)]
    if (found && state.status === 404) return sendJson(response, found)
    response.writeHead(state.status, { 'content-type': 'application/json' }).end('{}')
  })
  return Object.assign(state, osv)
}

/** A store with one project, whose releases name the ids given. */
async function openStore(...releases: { ids: string[]; version?: string; publishedAt?: number }[]) {
  return fill(await openService(), releases)
}

async function fill(service: Awaited<ReturnType<typeof openService>>, releases: { ids: string[] }[]) {
  await addProjects(service.db, ['x'], now)
  const { id } = await service.db.selectFrom('project').select('id').where('slug', '=', 'x').executeTakeFirstOrThrow()
  const found = releases.map(({ ids, ...more }, index) => ({
    type: 'app' as const,
    chartName: '',
    version: `v1.${index}.0`,
    appVersion: null,
    publishedAt: now - day,
    url: '',
    notes: `<p>${ids}</p>`,
    security: { hasFix: true, ids },
    ...more,
  }))
  await saveCollected(service.db, id, found, now)
  return { ...service, id, found }
}

type Store = Awaited<ReturnType<typeof fill>>

async function lookUp({ db, id }: Pick<Store, 'db' | 'id'>, osvUrl: string, at = now, signal?: AbortSignal) {
  const github = { webUrl: '', apiUrl: '', token: undefined }
  await syncAdvisories(db, {
    lookUp: createAdvisoryLookUp(openHttp({ retryPausesMs: [] }), { osvUrl, github }),
    projectIds: [id],
    now: () => at,
    signal: signal ?? new AbortController().signal,
    width: 1,
  })
}

const toSecurity = ({ db }: Pick<Store, 'db'>) =>
  db
    .selectFrom('release')
    .select(['security_severity', 'security_summary', 'cve_list'])
    .where('has_security_fix', '=', 1)
    .orderBy('id')
    .execute()

test('an advisory that a release names tells its severity, its summary and its other id, and is asked for once', async () => {
  const osv = await openOsv()
  const file = join(temporaryFolder(), 'relt.db')
  const store = await fill(await openService(file), [{ ids: ['CVE-2026-1111', 'CVE-2026-9999'] }, { ids: [ghsa] }])
  await lookUp(store, osv.url)
  const told = { security_severity: 'high', security_summary: 'Bad' }
  expect(await toSecurity(store)).toEqual([
    { ...told, cve_list: `["CVE-2026-1111","CVE-2026-9999","${ghsa}"]` },
    { ...told, cve_list: `["${ghsa}","CVE-2026-1111"]` },
  ])
  const asked = osv.asked.map(({ path }) => path)
  expect(asked.toSorted()).toEqual(['/v1/vulns/CVE-2026-1111', '/v1/vulns/CVE-2026-9999'])

  const before = await dump(store.db)
  const again = await openService(file)
  await lookUp({ ...again, id: store.id }, osv.url, now + day / 2)
  expect(osv.asked).toHaveLength(2)
  expect(await dump(again.db)).toEqual(before)
})

test('an answer is kept for a week, and that there is none for a day; of an old release for good', async () => {
  const osv = await openOsv()
  const store = await openStore(
    { ids: ['CVE-2026-1111'] },
    { ids: ['CVE-2026-9999'] },
    { ids: ['CVE-2020-9999'], publishedAt: now - 200 * day },
  )
  await lookUp(store, osv.url)
  const askedAt = async (at: number) => {
    osv.asked.length = 0
    await lookUp(store, osv.url, at)
    return osv.asked.map(({ path }) => path.slice('/v1/vulns/'.length)).toSorted()
  }
  expect(await askedAt(now + 2 * day)).toEqual(['CVE-2026-9999'])
  expect(await askedAt(now + 8 * day)).toEqual(['CVE-2026-1111', 'CVE-2026-9999'])
})

test('an answer that cannot be had is asked for the next time, and what was known stays', async () => {
  const osv = await openOsv()
  const store = await openStore({ ids: ['CVE-2026-1111'] })
  osv.status = 500
  const before = await dump(store.db)
  await lookUp(store, osv.url)
  expect(await dump(store.db)).toEqual(before)
  osv.status = 404
  await lookUp(store, osv.url)
  const known = await toSecurity(store)
  expect(known).toMatchObject([{ security_severity: 'high' }])
  osv.status = 500
  await lookUp(store, osv.url, now + 30 * day)
  expect(await toSecurity(store)).toEqual(known)
})

test('an advisory that was withdrawn tells nothing', async () => {
  const osv = await openOsv()
  osv.known = { 'CVE-2026-1111': { ...vulnerability, withdrawn: '2026-01-01T00:00:00Z' } }
  const store = await openStore({ ids: ['CVE-2026-1111'] })
  await lookUp(store, osv.url)
  expect(await toSecurity(store)).toMatchObject([{ security_severity: 'none', cve_list: '["CVE-2026-1111"]' }])
})

test('a release by hand stays as it is, and is asked about to nobody', async () => {
  const osv = await openOsv()
  const store = await openStore({ ids: ['CVE-2026-1111'] })
  await store.db.updateTable('release').set({ origin: 'user' }).execute()
  const before = await dump(store.db)
  await lookUp(store, osv.url)
  expect([osv.asked, await dump(store.db)]).toEqual([[], before])
})

test('a release that names an advisory and is said to be no fix of it stays none', async () => {
  const osv = await openOsv()
  const store = await openStore({ ids: ['CVE-2026-1111'] }, { ids: ['CVE-2026-1111'] })
  await store.db.updateTable('release').set({ has_security_fix: 0 }).where('version', '=', 'v1.1.0').execute()
  await lookUp(store, osv.url)
  const rows = await store.db
    .selectFrom('release')
    .select(['has_security_fix', 'security_severity'])
    .orderBy('id')
    .execute()
  expect(rows).toEqual([
    { has_security_fix: 1, security_severity: 'high' },
    { has_security_fix: 0, security_severity: 'none' },
  ])
})

test('of notes that list hundreds of ids the first ten are asked about, and of all 500 in one go', async () => {
  const osv = await openOsv()
  const toId = (release: number, i: number) => `CVE-2026-${100_000 + release * 100 + i}`
  const releases = Array.from({ length: 60 }, (_, release) => ({
    ids: Array.from({ length: 20 }, (_, i) => toId(release, i)),
    publishedAt: now - release,
  }))
  const store = await openStore(...releases)
  await lookUp(store, osv.url)
  const asked = osv.asked.map(({ path }) => path.slice('/v1/vulns/'.length))
  expect(new Set(asked)).toEqual(
    new Set(Array.from({ length: 50 }, (_, release) => Array.from({ length: 10 }, (_, i) => toId(release, i))).flat()),
  )
  await lookUp(store, osv.url)
  expect(osv.asked).toHaveLength(600)
})

test('asked to stop it keeps what was answered', async () => {
  const osv = await openOsv()
  const store = await openStore({ ids: ['CVE-2026-1111', 'CVE-2026-2222'] })
  const interruption = new AbortController()
  const { db, id } = store
  const github = { webUrl: '', apiUrl: '', token: undefined }
  const ask = createAdvisoryLookUp(openHttp({ retryPausesMs: [] }), { osvUrl: osv.url, github })
  await syncAdvisories(db, {
    lookUp: async (one) => {
      const answer = await ask(one)
      interruption.abort()
      return answer
    },
    projectIds: [id],
    now: () => now,
    signal: interruption.signal,
    width: 1,
  })
  expect(osv.asked).toHaveLength(1)
  expect(await db.selectFrom('advisory').selectAll().execute()).not.toEqual([])
})
