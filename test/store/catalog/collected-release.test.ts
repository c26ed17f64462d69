import { describe, expect, test } from 'vitest'
import type { FoundRelease } from '../../../src/catalog/found-release.ts'
import type { Db } from '../../../src/db/open.ts'
import { saveCollected } from '../../../src/store/catalog/collected-release.ts'
import { dump, now, openService, type TestService } from '../../operations/service.ts'

async function openStore() {
  const service = await openService()
  const { id } = await service.db
    .insertInto('project')
    .values({
      slug: 'x',
      name: 'X',
      description: '',
      category: '',
      cncf_status: 'open-source',
      homepage: '',
      docs_url: '',
      repo_url: '',
      logo_url: '',
      origin: 'user',
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const saveAll = (found: Partial<FoundRelease>[]) => saveCollected(service.db, id, found.map(release), now)
  return {
    ...service,
    id,
    save: async (...found: Partial<FoundRelease>[]) => {
      const { added, updated } = await saveAll(found)
      return { added, updated }
    },
    toNews: async (...found: Partial<FoundRelease>[]) => {
      return (await saveAll(found)).news.map(({ kind, type, version }) => `${kind}: ${type} ${version}`)
    },
  }
}

const release = (given: Partial<FoundRelease>): FoundRelease => ({
  type: 'app',
  chartName: '',
  version: 'v1.0.0',
  appVersion: null,
  publishedAt: now - 1000,
  url: 'https://x.example/v1.0.0',
  notes: '<p>First</p>',
  security: null,
  ...given,
})

async function rows(db: Db) {
  const found = await db.selectFrom('release').selectAll().orderBy('id').execute()
  return found.map(({ type, chart_name, version }) => [type, chart_name, version].filter(Boolean).join(' '))
}

const one = ({ db, id }: Pick<TestService, 'db'> & { id: number }) =>
  db.selectFrom('release').selectAll().where('project_id', '=', id).executeTakeFirstOrThrow()

describe('what was found', () => {
  test('is added once, and written again only when it says something else', async () => {
    const store = await openStore()
    expect(await store.save({}, { version: 'v0.9.0' })).toEqual({ added: 2, updated: 0 })
    const before = await dump(store.db)
    expect(await store.save({}, { version: 'v0.9.0' }, {})).toEqual({ added: 0, updated: 0 })
    expect(await dump(store.db)).toEqual(before)
    expect(await store.save({ notes: '<p>Edited</p>' })).toEqual({ added: 0, updated: 1 })
    expect(await rows(store.db)).toEqual(['app v1.0.0', 'app v0.9.0'])
  })

  test('is the newest of its project at once', async () => {
    const store = await openStore()
    await store.save({}, { version: 'v2.0.0-rc.1', type: 'pre' })
    expect(await store.db.selectFrom('project').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      latest_version: 'v1.0.0',
      latest_published_at: now - 1000,
    })
  })

  test('takes the place of its pre-release, and gives it back', async () => {
    const store = await openStore()
    await store.save({ type: 'pre' })
    expect(await store.save({})).toEqual({ added: 0, updated: 1 })
    expect(await rows(store.db)).toEqual(['app v1.0.0'])
    await store.save({ type: 'pre' })
    expect(await rows(store.db)).toEqual(['pre v1.0.0'])
    await store.save({ type: 'pre', chartName: 'c' })
    await store.save({ type: 'helm', chartName: 'c' })
    expect(await rows(store.db)).toEqual(['pre v1.0.0', 'helm c v1.0.0'])
  })

  test('makes one of a release and its pre-release', async () => {
    const store = await openStore()
    await store.save({})
    await store.db
      .insertInto('release')
      .values({ ...(await one(store)), id: 99, type: 'pre' })
      .execute()
    expect(await store.save({})).toEqual({ added: 0, updated: 1 })
    expect(await rows(store.db)).toEqual(['app v1.0.0'])
  })

  test('is news when it is out, when it is no pre-release any more, and when it is known to fix something', async () => {
    const { toNews } = await openStore()
    const fix = { hasFix: true, ids: ['CVE-2026-12345'] }
    expect(await toNews({ type: 'pre' }, { version: 'v0.9.0', security: fix })).toEqual([
      'release: pre v1.0.0',
      'release: app v0.9.0',
    ])
    expect(await toNews({ notes: '<p>Edited</p>', type: 'pre' })).toEqual([])
    expect(await toNews({ isRough: true, security: fix, type: 'pre' })).toEqual(['security: pre v1.0.0'])
    expect(await toNews({ security: fix })).toEqual(['promotion: app v1.0.0'])
    expect(await toNews({ security: { ...fix, severity: 'high' } }, { version: 'v0.9.0', notes: 'More' })).toEqual([])
    expect(await toNews({ type: 'pre' })).toEqual([])
  })

  test('of a chart is none of the application, whatever its version', async () => {
    const store = await openStore()
    await store.save({ type: 'helm', chartName: '' }, {}, { type: 'helm', chartName: 'a' })
    expect(await store.save({}, { type: 'helm', chartName: 'b' })).toEqual({ added: 2, updated: 0 })
    expect(await rows(store.db)).toEqual(['helm v1.0.0', 'helm a v1.0.0', 'app v1.0.0', 'helm b v1.0.0'])
  })

  test('is known by its version with or without v, but exact ones are kept apart', async () => {
    const store = await openStore()
    await store.save({ version: '1.0.0' }, { version: 'v2.0.0' }, { version: '3.0.0', chartName: 'a', type: 'helm' })
    const rough = ['v1.0.0', '2.0.0', 'v3.0.0'].map((version) => ({ version, isRough: true }) as const)
    expect(await store.save(...rough)).toEqual({ added: 1, updated: 0 })
    expect(await rows(store.db)).toEqual(['app 1.0.0', 'app v2.0.0', 'helm a 3.0.0', 'app v3.0.0'])
    expect(await store.save({ version: 'v1.0.0' })).toEqual({ added: 1, updated: 0 })
  })

  test('roughly adds what is missing, and leaves what is known', async () => {
    const store = await openStore()
    await store.save({ type: 'pre', notes: '', publishedAt: 5 })
    const rough = { isRough: true, notes: 'More', publishedAt: 9, url: 'https://y.example' } as const
    expect(await store.save(rough)).toEqual({ added: 0, updated: 1 })
    expect(await one(store)).toMatchObject({
      type: 'pre',
      release_notes: 'More',
      published_at: 5,
      url: 'https://x.example/v1.0.0',
    })
    expect(await store.save({ ...rough, notes: 'Other' }, { ...rough, version: 'v2' })).toEqual({
      added: 1,
      updated: 0,
    })
  })

  test('adds to what is known of security, and takes nothing away', async () => {
    const store = await openStore()
    await store.save({ security: { hasFix: true, ids: ['CVE-2026-1111'], severity: 'high' } })
    await store.save({
      security: { hasFix: false, ids: ['CVE-2026-2222'], severity: 'low', links: ['https://a.example'] },
    })
    await store.save({ notes: 'Less' })
    expect(await one(store)).toMatchObject({
      has_security_fix: 1,
      security_severity: 'high',
      cve_list: '["CVE-2026-1111","CVE-2026-2222"]',
      cve_links: '["https://a.example"]',
      release_notes: 'Less',
    })
  })

  test('leaves the texts of what somebody added by hand', async () => {
    const store = await openStore()
    const byHand = { product_id: store.id, version: 'v1.0.0', release_notes: 'Mine', has_security_fix: true }
    await store.call('addRelease', { body: { ...byHand, type: 'pre' } })
    await store.save({ security: { hasFix: true, ids: ['CVE-2026-1111'] } })
    expect(await one(store)).toMatchObject({ type: 'app', release_notes: 'Mine', cve_list: null, origin: 'user' })
  })
})
