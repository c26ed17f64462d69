import { expect, test } from 'vitest'
import { updateCompleteness } from '../../../src/operations/catalog/completeness.ts'
import { exportCatalog, importCatalog } from '../../../src/operations/catalog/file.ts'
import { findAdvisory, importAdvisories, listAdvisories } from '../../../src/operations/catalog/own-advisory.ts'
import { saveOutcome } from '../../../src/operations/catalog/save-outcome.ts'
import { listCatalogAdvisories, saveAdvisoriesFor } from '../../../src/store/catalog/catalog-advisory.ts'
import { saveCollected } from '../../../src/store/catalog/collected-release.ts'
import { listTrackedProjects, saveSourceCheck } from '../../../src/store/catalog/source.ts'
import { addProjects } from '../../collectors/projects.ts'
import { day, dump, now, openService } from '../service.ts'

const record = {
  id: 'SHOP-2026-1',
  aliases: ['CVE-2026-7001'],
  modified: '2026-08-01T00:00:00Z',
  published: '2026-07-01T00:00:00Z',
  summary: 'Anyone can read carts',
  database_specific: { severity: 'CRITICAL' },
  affected: [
    {
      package: { ecosystem: 'Shop', name: 'x' },
      ranges: [{ type: 'SEMVER', events: [{ introduced: '1.0.0' }, { fixed: '1.1.0' }] }],
    },
  ],
}

async function openStore() {
  const service = await openService()
  await addProjects(service.db, ['x', 'y'], now)
  const [x] = (await listTrackedProjects(service.db)).filter(({ slug }) => slug === 'x')
  return { ...service, project: x!, id: x!.id }
}

const release = (version: string, publishedAt: number, more = {}) => ({
  type: 'app' as const,
  chartName: '',
  version,
  appVersion: null,
  publishedAt,
  url: '',
  notes: '',
  security: null,
  ...more,
})

test('imports records about the project that their package names, and marks the release that fixes them', async () => {
  const { db, id } = await openStore()
  await saveCollected(db, id, [release('v1.1.0', now), release('v1.0.0', now - day)], now)
  expect(await importAdvisories(db, [record], undefined)).toEqual({ projects: { x: 1 }, skipped: [] })
  expect(await findAdvisory(db, 'shop-2026-2').catch(({ code }) => code)).toBe('not_found')
  expect(await findAdvisory(db, 'shop-2026-1')).toHaveLength(1)
  expect(await findAdvisory(db, 'SHOP-2026-1')).toMatchObject([
    { id: 'CVE-2026-7001', slug: 'x', severity: 'critical', source: 'file', is_record_date: false },
  ])
  const marked = await db
    .selectFrom('release')
    .select(['version', 'security_severity', 'cve_list'])
    .where('has_security_fix', '=', 1)
    .execute()
  expect(marked).toEqual([{ version: 'v1.1.0', security_severity: 'critical', cve_list: '["CVE-2026-7001"]' }])
})

test('a second import replaces the record, and other records stay', async () => {
  const { db } = await openStore()
  const other = { ...record, id: 'SHOP-2026-2', aliases: [] }
  await importAdvisories(db, [record, other], undefined)
  const events = [{ introduced: '0' }, { fixed: '1.2.0' }]
  const changed = { ...record, affected: [{ ...record.affected[0]!, ranges: [{ type: 'SEMVER', events }] }] }
  await importAdvisories(db, [changed], undefined)
  expect((await listAdvisories(db, ['x'])).map(({ id, affected }) => [id, affected[0]!.fixed])).toEqual([
    ['CVE-2026-7001', '1.2.0'],
    ['SHOP-2026-2', '1.1.0'],
  ])
})

test('takes every range for the project that is named, and refuses records about nothing known', async () => {
  const { db } = await openStore()
  const foreign = { ...record, affected: [{ ...record.affected[0]!, package: { ecosystem: 'Go', name: 'x' } }] }
  await expect(importAdvisories(db, [foreign], undefined)).rejects.toMatchObject({ code: 'not_found' })
  expect(await importAdvisories(db, [foreign], 'y')).toEqual({ projects: { y: 1 }, skipped: [] })
  await expect(importAdvisories(db, [{ id: 5 }], 'y')).rejects.toMatchObject({ code: 'invalid_json' })
  expect(await importAdvisories(db, [record, foreign], undefined)).toMatchObject({ projects: { x: 1 } })
})

test('advisories travel in the file of a catalog, and a second import changes nothing', async () => {
  const { db, id, project } = await openStore()
  await saveCollected(db, id, [release('v1.1.0', now)], now)
  await importAdvisories(db, [record], undefined)
  const state = { cursor: 'x' }
  const advisory = (await listAdvisories(db, ['x']))[0]!
  const { project_id: _, slug: __, source: ___, ...plain } = { ...advisory, id: 'CVE-2026-7002', aliases: [] }
  await saveOutcome(
    db,
    project,
    { kind: 'changed', releases: [], catalogAdvisories: [plain], state },
    { source: { kind: 'osv' }, now },
  )
  const ofGithub = { ...plain, id: 'CVE-2026-7003' }
  const found = { kind: 'changed' as const, releases: [], advisories: [], catalogAdvisories: [ofGithub], state }
  await saveOutcome(db, project, found, { source: { kind: 'advisories' }, now })
  const look = { url: 'u', outcome: 'changed', reason: null, retryAt: null, state } as const
  await saveSourceCheck(db, { ...look, projectId: id, kind: 'osv' }, now)
  const file = await exportCatalog(db, now)

  const other = await openService()
  await importCatalog(other.db, file, now)
  expect((await listAdvisories(other.db, ['x'])).map(({ id, source }) => `${id} ${source}`)).toEqual([
    'CVE-2026-7001 file',
    'CVE-2026-7002 osv',
    'CVE-2026-7003 github',
  ])
  const before = await dump(other.db)
  await importCatalog(other.db, file, now + day)
  expect(await dump(other.db)).toEqual(before)

  // What OSV told this store itself later stays.
  const [x] = (await listTrackedProjects(other.db)).filter(({ slug }) => slug === 'x')
  await saveAdvisoriesFor(other.db, x!.id, 'osv', [])
  await saveSourceCheck(other.db, { ...look, projectId: x!.id, kind: 'osv' }, now + day)
  await importCatalog(other.db, file, now + day)
  expect(
    (await listCatalogAdvisories(other.db, [x!.id]))
      .get(x!.id)!
      .map(({ id }) => id)
      .sort(),
  ).toEqual(['CVE-2026-7001', 'CVE-2026-7003'])
})

const formatSince = async ({ db, id }: Awaited<ReturnType<typeof openStore>>) =>
  (await db.selectFrom('project').select('complete_since').where('id', '=', id).executeTakeFirstOrThrow())
    .complete_since

test('a history is complete since the oldest release that its repository listed', async () => {
  const store = await openStore()
  const { db, id, project } = store
  const listed = [release('v1.1.0', Date.UTC(2026, 4, 2) / 1000), release('v1.0.0', Date.UTC(2026, 3, 1) / 1000)]
  await saveOutcome(db, project, { kind: 'changed', releases: listed, state: {} }, { source: { kind: 'github' }, now })
  expect(await formatSince(store)).toBe('2026-04-02')

  const tracked = { id, completeSince: '2026-04-02' }
  await updateCompleteness(db, tracked, { releases: [release('v1.2.0', now), ...listed], added: 1 })
  expect(await formatSince(store)).toBe('2026-04-02')
  // Nothing of the list was known, so that releases before it may be missing.
  await updateCompleteness(db, tracked, { releases: [release('v3.0.0', Date.UTC(2026, 7, 1) / 1000)], added: 1 })
  expect(await formatSince(store)).toBe('2026-08-02')
  await updateCompleteness(db, tracked, { releases: [release('v4.0.0', now, { isRough: true })], added: 1 })
  expect(await formatSince(store)).toBe(null)
})
