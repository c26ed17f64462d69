import { describe, expect, test } from 'vitest'
import { impactText } from '../../../src/lifecycle/step-text.ts'
import { saveAdvisoriesFor } from '../../../src/store/catalog/catalog-advisory.ts'
import { formatTimestamp } from '../../../src/util/time.ts'
import { scan } from '../../reports/scan.ts'
import { day, openCatalogService, type TestService } from '../service.ts'

const image = (fullRef: string) => ({ fullRef, namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' })

async function withPrometheus(service: TestService, cluster: string, tag: string) {
  const artifacts = { images: [image(`prom/prometheus:${tag}`), image('registry.example/own:1.0.0')] }
  return service.upload([], { report: { ...scan([], { cluster }), artifacts } })
}

/** An advisory of GitHub about Prometheus, in place of all that are bundled about it. */
async function advise({ db, call, clock }: TestService, more: object = {}) {
  await call('listProjects')
  const { id } = await db.selectFrom('project').select('id').where('slug', '=', 'prometheus').executeTakeFirstOrThrow()
  for (const table of ['affected_range', 'catalog_advisory'] as const) {
    await db.deleteFrom(table).where('project_id', '=', id).execute()
  }
  const advisory = {
    ...{ id: 'CVE-2026-7777', aliases: ['GHSA-qppj-fm5r-hxr3'], severity: 'high' as const, score: 8.1 },
    ...{ published_at: null, is_record_date: false, modified_at: null, withdrawn_at: null },
    ...{ summary: '', databases: [], affected: [{ introduced: '2.45.0', fixed: '2.45.6', last_affected: null }] },
    ...more,
  }
  await saveAdvisoriesFor(db, id, 'github', [advisory])
  const published_at = formatTimestamp(clock.now)
  const release = { product_id: id, type: 'app', version: 'v2.45.6', has_security_fix: true, published_at }
  await call('addRelease', { body: release })
  return id
}

describe('impact by ranges', () => {
  test.each(['CVE-2026-7777', 'ghsa-qppj-fm5r-hxr3'])(
    'lists what %s affects, and the version out of it',
    async (cve) => {
      const service = await openCatalogService()
      const product_id = await advise(service)
      await withPrometheus(service, 'blue', 'v2.45.0')
      await withPrometheus(service, 'green', 'v2.45.6')
      await withPrometheus(service, 'red', 'v2.45')
      const impact = await service.call('getImpact', { query: { cve } })
      expect(impact).toMatchObject({
        releases: [],
        has_ranges: true,
        summary: { clusters_seen: 3, artifacts: 2 },
        coverage: { artifacts: 6, advisories_known: 3 },
        advisories: [
          { id: 'CVE-2026-7777', severity: 'high', product_id, clusters: 2, artifacts: 2, is_certain: true },
        ],
        items: [
          {
            cluster_name: 'blue',
            current_version: 'v2.45.0',
            wanted_version: 'v2.45.6',
            severity: 'high',
            advisory_ids: ['CVE-2026-7777'],
            is_certain: true,
          },
          { cluster_name: 'red', current_version: 'v2.45', is_certain: false },
        ],
      })
    },
  )

  test('says that no release is without it', async () => {
    const service = await openCatalogService()
    await advise(service, { affected: [{ introduced: '0', fixed: null, last_affected: null }] })
    await withPrometheus(service, 'blue', 'v2.45.0')
    const { items } = await service.call('getImpact', { query: { cve: 'CVE-2026-7777' } })
    expect(items).toMatchObject([{ fixed_in: null, step: { version: 'v3.13.2' }, is_certain: true }])
    expect(impactText(items[0]!, true)).toBe('no fix yet; take v2.55.1, then v3.13.2')
  })

  test('says a fix once where it is the step, however the release is written, and none as missing of an unknown version', () => {
    const step = { via: [], because: [], gains: [] } as never as NonNullable<Parameters<typeof impactText>[0]['step']>
    const item = { step: { ...step, version: '0.70.0' }, wanted_version: 'v0.70.0', fixed_in: '0.70.0' }
    expect(impactText(item, true)).toBe('0.70.0')
    expect(impactText({ ...item, fixed_in: '0.69.9' }, true)).toBe('fixes this one: 0.69.9; take 0.70.0')
    expect(impactText({ step: null, wanted_version: null, is_certain: false }, true)).toBe('no step')
  })

  test('leaves out advisories that were withdrawn', async () => {
    const service = await openCatalogService()
    await advise(service, { withdrawn_at: 1 })
    await withPrometheus(service, 'blue', 'v2.45.0')
    const { items } = await service.call('getImpact', { query: { cve: 'CVE-2026-7777' } })
    expect(items).toEqual([])
  })

  test('new advisories are those of the last days that touch what runs', async () => {
    const service = await openCatalogService()
    await advise(service, { published_at: service.clock.now - 5 * day })
    await withPrometheus(service, 'blue', 'v2.45.0')
    const within = async (new_days: number) =>
      (await service.call('getImpact', { query: { new_days } })).advisories!.map(({ id }) => id)
    expect(await within(7)).toEqual(['CVE-2026-7777'])
    expect(await within(4)).toEqual([])
  })
})

test('freshness, the feed and the dashboard agree on what is affected', async () => {
  const service = await openCatalogService()
  const product_id = await advise(service)
  await withPrometheus(service, 'blue', 'v2.45.0')
  const [{ run_id } = { run_id: '' }] = (await service.call('listReports')).items
  const { items } = await service.call('reportFreshness', { params: { run_id } })
  expect(items.find((item) => item.source_product_slug === 'prometheus')).toMatchObject({
    advisories: [{ id: 'CVE-2026-7777' }],
    fixed_in_line: 'v2.45.6',
  })
  await service.call('toggleSubscription', { body: { product_id } })
  const fixes = [{ version: 'v2.45.6', fixes: ['CVE-2026-7777'] }]
  expect((await service.call('getFeed')).releases).toMatchObject(fixes)
  expect((await service.call('getFeed', { query: { mine: true } })).releases).toMatchObject(fixes)
  expect((await service.call('getRecentReleases', { query: { limit: 1 } })).releases).toMatchObject(fixes)
  expect((await service.call('getDashboard')).affected).toMatchObject({
    clusters: 1,
    // Prometheus, and Kubernetes itself.
    known: 2,
    high: 1,
  })
})
