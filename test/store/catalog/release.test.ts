import { describe, expect, test } from 'vitest'
import { bundledCatalogDate } from '../../../src/catalog/date.ts'
import {
  findKnownReleases,
  listReleases,
  releaseStats,
  releasesOfProjects,
} from '../../../src/store/catalog/release.ts'
import { addForeignRelease, project, release, storeWith, toId } from '../bundled.ts'

const chart = { type: 'helm', chartName: 'argo-cd', appVersion: 'v3.5.1' } as const

const store = () =>
  storeWith([
    project('argo-cd', {
      releases: [
        release('v3.4.0', '2026-07-01'),
        release('v3.5.1', '2026-08-20'),
        release('v3.3.9', '2026-08-20'),
        release('9.1.0', '2026-05-02', chart),
        release('9.1.0', '2026-05-03', { ...chart, chartName: 'argo-cd-apps' }),
        release('v3.6.0-rc1', '2026-08-30', { type: 'pre' }),
      ],
    }),
    project('nginx'),
  ])

describe('releases', () => {
  test('are listed newest first, by type and in pages', async () => {
    const db = await store()
    const projectId = await toId(db, 'argo-cd')
    const list = async (more: object = {}) => listReleases(db, { projectId, type: 'app', page: 1, perPage: 2, ...more })
    const versions = async (more: object) => (await list(more)).items.map((item) => item.version)
    expect(await versions({ perPage: 10 })).toEqual(['v3.5.1', 'v3.3.9', 'v3.4.0'])
    expect(await versions({ page: 2 })).toEqual(['v3.4.0'])
    expect(await versions({ page: 3 })).toEqual([])
    expect(await versions({ type: 'pre' })).toEqual(['v3.6.0-rc1'])
    expect(await list()).toMatchObject({ page: 1, per_page: 2, total: 3, total_pages: 2 })
    expect((await list({ type: 'helm' })).items).toEqual([
      expect.objectContaining({ version: '9.1.0', chart_name: 'argo-cd-apps' }),
      expect.objectContaining({ version: '9.1.0', chart_name: 'argo-cd', published_at: '2026-05-02 00:00:00' }),
    ])
    expect((await list()).items[0]).toEqual({
      id: expect.any(Number),
      product_id: projectId,
      version: 'v3.5.1',
      type: 'app',
      release_notes: '',
      url: 'https://releases.example/v3.5.1',
      published_at: '2026-08-20 00:00:00',
      has_security_fix: false,
      security_severity: 'none',
      chart_name: null,
    })
  })

  test('are given whole for some projects, also for those that have none', async () => {
    const db = await store()
    const [argo, nginx] = [await toId(db, 'argo-cd'), await toId(db, 'nginx')]
    await addForeignRelease(db, nginx, '1.27.3')
    await db
      .updateTable('release')
      .set({ cve_list: '["CVE-2026-1"]', cve_links: '["https://a"]' })
      .where('project_id', '=', nginx)
      .execute()
    const found = await releasesOfProjects(db, [argo, nginx, 999])
    expect(Object.entries(found.get(argo)!).map(([type, list]) => [type, list.length])).toEqual([
      ['app', 3],
      ['helm', 2],
      ['pre', 1],
    ])
    expect(found.get(nginx)!.app).toMatchObject([
      {
        has_security_fix: true,
        security_severity: 'high',
        cve_list: ['CVE-2026-1'],
        cve_links: ['https://a'],
        security_summary: null,
      },
    ])
    expect(found.get(999)).toEqual({ app: [], helm: [], pre: [] })
    expect(found.get(argo)!.helm[0]).toMatchObject({
      app_version: 'v3.5.1',
      created_at: `${bundledCatalogDate} 00:00:00`,
      cve_list: null,
    })
    expect((await findKnownReleases(db, [nginx, 999]))(nginx)).toEqual([
      {
        id: expect.any(Number),
        version: '1.27.3',
        type: 'app',
        chartName: null,
        publishedAt: 5,
        hasSecurityFix: true,
        severity: 'high',
      },
    ])
    expect((await findKnownReleases(db, [999]))(999)).toEqual([])
  })

  test('are counted by the days since they were published', async () => {
    const db = await store()
    await addForeignRelease(db, await toId(db, 'nginx'), '1.27.3')
    const at = (iso: string) => Date.parse(iso) / 1000
    const none = { total: 7, securityFixes: 1, last7d: 0, last30d: 0, last90d: 0 }
    expect(await releaseStats(db, at('2026-09-01T00:00:00Z'))).toEqual({ ...none, last7d: 1, last30d: 3, last90d: 4 })
    expect(await releaseStats(db, at('2026-09-05T23:59:59Z'))).toEqual({ ...none, last7d: 1, last30d: 3, last90d: 4 })
    expect(await releaseStats(db, at('2030-01-01T00:00:00Z'))).toEqual(none)
  })
})
