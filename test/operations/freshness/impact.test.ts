import { describe, expect, test } from 'vitest'
import { scan } from '../../reports/scan.ts'
import { openCatalogService, refusalFor, type TestService } from '../service.ts'

const image = (fullRef: string, namespace: string, workloadName = 'w') => ({
  fullRef,
  namespace,
  workloadKind: 'Deployment',
  workloadName,
})

async function withClusters(service: TestService) {
  const run = async (cluster: string, images: object[], body = {}) =>
    service.upload([], { report: { ...scan([], { cluster }), artifacts: { images } }, body })
  await run('blue', [image('quay.io/argoproj/argocd:v2.0.0', 'old')])
  service.clock.now += 60
  await run('blue', [image('quay.io/argoproj/argocd:v3.0.0', 'argocd', 'server'), image('nginx:1.20.0', 'web')])
  await run('green', [image('quay.io/argoproj/argocd:v3.9.0', 'argocd')])
  await run('green', [image('quay.io/argoproj/argocd:v3.0.1', 'argocd')], { environment: 'staging' })
  const { items } = await service.call('listProjects', { query: { search: 'Argo CD' } })
  const argo = items[0]!.id
  const add = async (version: string, more: object = {}) =>
    (await service.call('addRelease', { body: { product_id: argo, type: 'app', version, ...more } })).release_id
  return { argo, add, run }
}

describe('impact', () => {
  test('shows a published release at the next request, as feed and freshness do', async () => {
    const service = await openCatalogService()
    const { argo, add } = await withClusters(service)
    await service.call('toggleSubscription', { body: { product_id: argo } })
    expect((await service.call('getFeed', { query: { mine: true, days: 1 } })).releases).toEqual([])
    const id = await add('v3.8.0', { release_notes: 'Fixes CVE-2026-7777, severity: critical' })

    const impact = await service.call('getImpact', { query: { release_id: id } })
    expect(impact).toMatchObject({
      releases: [{ release_id: id, product_id: argo, version: 'v3.8.0' }],
      summary: { clusters_seen: 3, clusters: 2, namespaces: 2, workloads: 2, artifacts: 2 },
      // Argo CD in three latest runs and nginx in one.
      // v3.9.0 is above all that is known.
      coverage: { artifacts: 4, known: 3, projects: 2, security_known: 2 },
    })
    expect(impact.items).toMatchObject([
      {
        cluster_name: 'blue',
        environment: 'prod',
        product_name: 'Argo CD',
        display_name: 'quay.io/argoproj/argocd:v3.0.0',
        namespaces: ['argocd'],
        workloads: ['argocd/deployment/server'],
        fixed_in: 'v3.8.0',
        wanted_version: 'v3.8.0',
        severity: 'critical',
        is_certain: true,
      },
      { cluster_name: 'green', environment: 'staging', display_name: 'quay.io/argoproj/argocd:v3.0.1' },
    ])
    const byCve = await service.call('getImpact', { query: { cve: 'cve-2026-7777' } })
    expect(byCve.items).toEqual(impact.items)
    for (const page of [1, 2, 3]) {
      const { items, ...rest } = await service.call('getImpact', { query: { release_id: id, page, per_page: 1 } })
      expect(items).toEqual(impact.items.slice(page - 1, page))
      expect(rest).toEqual({ ...impact, items: undefined })
    }

    const { releases } = await service.call('getFeed', { query: { mine: true, days: 1 } })
    expect(releases).toMatchObject([
      { version: 'v3.8.0', release_id: id, affects: { clusters: 2, workloads: 2, artifacts: 2 } },
    ])
    const freshness = await service.call('reportFreshness', { params: { run_id: impact.items[0]!.run_id } })
    expect(freshness.items.find((item) => item.source_product_id === argo)).toMatchObject({
      highest_severity_between: 'critical',
    })
  })

  test('without a question tells what is behind a security fix', async () => {
    const service = await openCatalogService()
    const { add } = await withClusters(service)
    // Later than every fix of the line in the bundled catalog.
    await add('v3.0.99', { has_security_fix: true, security_severity: 'low' })
    const { items } = await service.call('getImpact')
    expect(items.map((item) => `${item.cluster_name} ${item.current_version} ${item.wanted_version}`)).toContain(
      'blue v3.0.0 v3.3.10',
    )
    expect(items.map((item) => item.current_version)).not.toContain('v3.0.99')
  })

  test('looks at the latest run that tells what runs, of the caller only', async () => {
    const service = await openCatalogService()
    const { add, run } = await withClusters(service)
    service.clock.now += 60
    const release_id = await add('v3.9.0')
    await run('blue', [])
    const question = { query: { release_id } }
    expect(await service.call('getImpact', question)).toMatchObject({
      summary: { clusters_seen: 3 },
      items: [{ current_version: 'v3.0.0' }, { current_version: 'v3.0.1' }],
    })
    await run('blue', [image('quay.io/argoproj/argocd:v3.9.0', 'argocd')])
    expect((await service.call('getImpact', question)).items).toHaveLength(1)
    const user = await service.addUser('other')
    expect(await service.call('getImpact', { ...question, user })).toMatchObject({
      summary: { clusters_seen: 0, clusters: 0 },
      items: [],
    })
  })

  test('refuses two questions, and what is no advisory', async () => {
    const { call } = await openCatalogService()
    expect(await refusalFor(call('getImpact', { query: { cve: 'CVE-2026-1234', release_id: '1' } }))).toContain('cve')
    expect(await refusalFor(call('getImpact', { query: { cve: 'log4shell' } }))).toContain('cve')
    expect(await refusalFor(call('getImpact', { query: { release_id: '999999999' } }))).toContain('No release')
    expect(await call('getImpact', { query: { cve: 'CVE-1999-1234' } })).toMatchObject({ releases: [], items: [] })
  })
})
