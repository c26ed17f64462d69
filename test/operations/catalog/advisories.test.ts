import { expect, test } from 'vitest'
import { findAdvisory, listAdvisories } from '../../../src/operations/catalog/advisories.ts'
import { updateCompleteness } from '../../../src/operations/catalog/completeness.ts'
import { exportCatalog, importCatalog } from '../../../src/operations/catalog/file.ts'
import { saveOutcome } from '../../../src/operations/catalog/save-outcome.ts'
import { listCatalogAdvisories, saveAdvisoriesFor } from '../../../src/store/catalog/catalog-advisory.ts'
import { saveCollected } from '../../../src/store/catalog/collected-release.ts'
import { listTrackedProjects, saveSourceCheck } from '../../../src/store/catalog/source.ts'
import { addProjects } from '../../collectors/projects.ts'
import { day, dump, now, openService } from '../service.ts'

const advisory = {
  id: 'CVE-2026-7001',
  aliases: ['SHOP-2026-1'],
  severity: 'critical' as const,
  score: null,
  published_at: now,
  is_record_date: true,
  modified_at: now,
  withdrawn_at: null,
  summary: 'Anyone can read carts',
  databases: [],
  affected: [{ introduced: '1.0.0', fixed: '1.1.0', last_affected: null }],
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

test('finds an advisory by each of its ids, in any case', async () => {
  const { db, id } = await openStore()
  await saveAdvisoriesFor(db, id, 'osv', [advisory])
  expect(await findAdvisory(db, 'shop-2026-2').catch(({ code }) => code)).toBe('not_found')
  expect(await findAdvisory(db, 'shop-2026-1')).toHaveLength(1)
  expect(await findAdvisory(db, 'CVE-2026-7001')).toMatchObject([{ id: 'CVE-2026-7001', slug: 'x', source: 'osv' }])
  expect(await listAdvisories(db, ['y'])).toEqual([])
})

test('advisories travel in the file of a catalog, and a second import changes nothing', async () => {
  const { db, id, project } = await openStore()
  await saveCollected(db, id, [release('v1.1.0', now)], now)
  const state = { cursor: 'x' }
  const plain = { ...advisory, id: 'CVE-2026-7002', aliases: [] }
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
  ).toEqual(['CVE-2026-7003'])
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
})

test('a whole list makes a history complete since the first release', async () => {
  const store = await openStore()
  const { db, id, project } = store
  const first = release('v1.0.0', Date.UTC(2026, 3, 1) / 1000, { isRough: true })
  const found = { kind: 'changed' as const, isWhole: true as const, releases: [first], state: {} }
  await saveOutcome(db, project, found, { source: { kind: 'git' }, now })
  expect(await formatSince(store)).toBe('2026-04-01')

  const tracked = { id, completeSince: '2026-04-01' }
  await updateCompleteness(db, tracked, { releases: [release('v1.1.0', now)], added: 1, isWhole: true })
  expect(await formatSince(store)).toBe('2026-04-01')
})
