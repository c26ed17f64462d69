import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { saveProjectAdvisories } from '../../../src/store/catalog/project-advisory.ts'
import { saveSourceCheck } from '../../../src/store/catalog/source.ts'
import { exampleFile, nativeReportFile } from '../../helpers/report.ts'
import { scan } from '../../reports/scan.ts'
import { day, openCatalogService, type TestService } from '../service.ts'

/** Answers keep the facts of a catalog whose revision has a name; questions about all clusters name it. */
const nameCatalog = (call: TestService['call']) => call('getImpact', {})

describe('assessRun', () => {
  test.each([
    ['an inventory', exampleFile(3), 'artifacts'],
    ['findings', nativeReportFile, 'findings'],
  ])('measures the artifacts of %s against the catalog', async (_, file, source) => {
    const { call, upload } = await openCatalogService()
    const { run_id } = await upload([], { report: readFileSync(file, 'utf8') })
    const freshness = await call('reportFreshness', { params: { run_id } })
    expect(freshness).toMatchObject({
      run_id,
      processing_status: 'ready',
      catalog_date: expect.stringMatching(/^\d{4}-/),
    })
    const counted = { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 }
    for (const item of freshness.items) counted[item.status]++
    expect(freshness.summary).toMatchObject({ ...counted, artifacts: freshness.items.length })
    expect(new Set(freshness.items.map((item) => item.source))).toEqual(new Set(['metadata', source]))
    expect(freshness.items.filter((item) => item.artifact_type === 'kubernetes')).toHaveLength(1)
    expect(freshness.items.filter((item) => item.candidates !== undefined)).toEqual([])
  })

  test('counts components of a managed offering apart', async () => {
    const { call, upload } = await openCatalogService()
    const image = (fullRef: string) => {
      return { fullRef, namespace: 'kube-system', workloadKind: 'Deployment', workloadName: 'w' }
    }
    const images = [
      image('mcr.microsoft.com/containernetworking/azure-cns:v1.8.12'),
      image('mcr.microsoft.com/azuremonitor/containerinsights/ciprod:3.1.24'),
      image('mcr.microsoft.com/oss/v2/kubernetes/coredns:v1.9.4-6'),
      image('registry.example/team/own:1.0.0'),
    ]
    const { run_id } = await upload([], { body: { artifacts: { images } } })
    const { summary, coverage, items } = await call('reportFreshness', { params: { run_id } })
    const managed = items.filter(({ vendor_component }) => vendor_component)
    expect(managed.map(({ status, managed_by }) => `${status} ${managed_by}`)).toEqual(['unknown aks', 'unknown aks'])
    expect(summary).toMatchObject({ unknown: 1, managed: 2 })
    expect(coverage).toMatchObject({ artifacts: 4, known: 1, managed: 2 })
    expect(items.find(({ upstream_version }) => upstream_version === '1.9.4')).toMatchObject({
      managed_by: 'aks',
      status: 'minor_behind',
      source_product_id: expect.any(Number),
    })
  })

  test('covers every image of an inventory that came beside the report', async () => {
    const { call, upload } = await openCatalogService()
    const image = (fullRef: string, helm = {}) => ({
      fullRef,
      namespace: 'shop',
      workloadKind: 'Deployment',
      workloadName: 'web',
      ...helm,
    })
    const argo = { helmChartName: 'argo-cd', helmReleaseName: 'argocd' }
    const artifacts = {
      images: [
        image('nginx:1.27.3'),
        image('registry.example/team/own:1.0.0'),
        image('quay.io/argoproj/argocd:v2.11.4', argo),
      ],
      helmCharts: [{ name: 'argo-cd', version: '7.3.4', releaseName: 'argocd', releaseNamespace: 'shop' }],
    }
    const { run_id } = await upload([{ check: 'POD007', value: 'redis:7.2.0' }], { body: { artifacts } })
    const { items } = await call('reportFreshness', { params: { run_id } })
    const images = items.filter((item) => item.artifact_type === 'image')
    expect(images.map((item) => [item.display_name, item.source, item.inherited_from_helm]).sort()).toEqual([
      ['nginx:1.27.3', 'artifacts', false],
      ['quay.io/argoproj/argocd:v2.11.4', 'artifacts', true],
      ['registry.example/team/own:1.0.0', 'artifacts', false],
    ])
    expect(images.find((item) => item.inherited_from_helm)!.recommendation).toContain('argo-cd')
    expect(items.filter((item) => item.artifact_type === 'helm_chart').map((item) => item.artifact_key)).toEqual([
      'argo-cd@7.3.4',
    ])
  })

  test('is as sure as the last look at the sources of what runs is new', async () => {
    const { db, call, upload, clock } = await openCatalogService()
    const artifacts = { images: [{ fullRef: 'nginx:1.27.3' }, { fullRef: 'redis:99.0.0' }] }
    const { run_id } = await upload([], { body: { artifacts } })
    clock.now += 100 * day
    const assess = async () => {
      const { catalog_date, items } = await call('reportFreshness', { params: { run_id } })
      const redis = items.find(({ artifact_key }) => artifact_key.includes('redis'))!
      return { date: catalog_date, confidence: redis.confidence, advice: redis.recommendation }
    }
    const before = await assess()
    expect(before.advice).toContain('the newest in the catalog of 2026-08-22')
    const look = async (slug: string) => {
      const { id } = await db.selectFrom('project').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()
      const looked = { url: '', outcome: 'unchanged', reason: null, retryAt: null, state: {} } as const
      await saveSourceCheck(db, { ...looked, projectId: id, kind: 'github' }, clock.now)
    }
    await look('redis')
    const after = await assess()
    expect(after.date).toBe('2026-08-22')
    expect(after.advice).toContain('the newest in the catalog of 2026-12-10')
    for (const slug of ['nginx', 'kubernetes']) await look(slug)
    expect((await assess()).date).toBe('2026-12-10')
    expect(await call('getImpact')).toMatchObject({ catalog_date: '2026-12-10' })
  })

  test('counts what is known of what runs, Kubernetes apart', async () => {
    const { db, call, upload, clock } = await openCatalogService()
    const images = ['nginx:1.27.3', 'redis:7.2.0', 'nginx:latest', 'registry.example/team/own:1.0.0']
    const report = { ...scan([]), artifacts: { images: images.map((fullRef) => ({ fullRef })) } }
    const { run_id } = await upload([], { report })
    const coverage = async () => (await call('reportFreshness', { params: { run_id } })).coverage
    const projectFor = async (slug: string) =>
      db.selectFrom('project').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()
    const first = await coverage()
    expect(first).toEqual({
      artifacts: 4,
      known: 2,
      security_known: 2,
      projects: 2,
      catalog_at: '2026-08-22',
      security_facts_at: '2026-08-05',
      advisories_known: 2,
      advisory_facts_at: '2026-08-05',
    })
    expect((await call('getImpact')).coverage).toEqual(first)

    const { id: nginx } = await projectFor('nginx')
    clock.now += day
    const { id: redis } = await projectFor('redis')
    const look = { url: '', reason: null, retryAt: null, state: {}, kind: 'advisories', projectId: redis } as const
    await saveSourceCheck(db, { ...look, outcome: 'unreachable' }, clock.now)
    expect(await coverage()).toEqual(first)
    await saveSourceCheck(db, { ...look, outcome: 'unchanged' }, clock.now)
    expect(await coverage()).toMatchObject({ security_known: 2, security_facts_at: '2026-08-05' })
    await saveSourceCheck(db, { ...look, outcome: 'unchanged', projectId: nginx }, clock.now)
    expect(await coverage()).toMatchObject({ security_known: 2, security_facts_at: '2026-09-02' })
  })

  test('counts a project whose advisories are known as one with security facts', async () => {
    const { db, call, upload } = await openCatalogService()
    const { run_id } = await upload([], {
      report: { ...scan([]), artifacts: { images: [{ fullRef: 'velero/velero:v1.13.0' }] } },
    })
    const { coverage: before } = await call('reportFreshness', { params: { run_id } })
    expect(before).toMatchObject({ projects: 1, security_known: 0, security_facts_at: null })
    const { id } = await db.selectFrom('project').select('id').where('slug', '=', 'velero').executeTakeFirstOrThrow()
    const advisory = { id: 'GHSA-1', aliases: [], fixedIn: [], severity: 'high', summary: '', url: '' } as const
    await saveProjectAdvisories(db, id, [{ ...advisory, aliases: [], fixedIn: [] }])
    const { coverage } = await call('reportFreshness', { params: { run_id } })
    expect(coverage).toMatchObject({ projects: 1, security_known: 1, security_facts_at: '2026-08-21' })
  })

  test('takes the inventory of the report before one beside it', async () => {
    const { call, upload } = await openCatalogService()
    const report = { ...scan([]), artifacts: { images: [{ fullRef: 'nginx:1.27.3' }] } }
    const { run_id } = await upload([], { report, body: { artifacts: { images: [{ fullRef: 'redis:7.2.0' }] } } })
    const { items } = await call('reportFreshness', { params: { run_id } })
    expect(items.filter((item) => item.artifact_type === 'image').map((item) => item.display_name)).toEqual([
      'nginx:1.27.3',
    ])
  })

  test('explains on request', async () => {
    const { call, upload } = await openCatalogService()
    const { run_id } = await upload([], { report: readFileSync(exampleFile(3), 'utf8') })
    const { items } = await call('reportFreshness', { params: { run_id }, query: { explain: '1' } })
    expect(items.filter((item) => item.candidates === undefined)).toEqual([])
    expect(items.filter((item) => item.candidates!.some((candidate) => candidate.taken)).length).toBeGreaterThan(10)
  })

  test('has nothing to say of a report that names nothing', async () => {
    const { call, upload } = await openCatalogService()
    const { run_id } = await upload([], { report: { metadata: { clusterName: 'shop' }, checks: {} } })
    expect(await call('reportFreshness', { params: { run_id } })).toMatchObject({
      summary: { up_to_date: 0, minor_behind: 0, major_behind: 0, unknown: 0 },
      items: [],
    })
  })

  test('knows the end of support on its day, after an answer of the day before', async () => {
    const { call, upload, clock } = await openCatalogService()
    const { run_id } = await upload([])
    await nameCatalog(call)
    const supportFor = async () => {
      const { items } = await call('reportFreshness', { params: { run_id } })
      return items.find(({ artifact_type }) => artifact_type === 'kubernetes')!.eol!
    }
    const { date } = await supportFor()
    clock.now = Date.parse(date!) / 1000 + day - 1
    expect(await supportFor()).toMatchObject({ is_eol: false })
    clock.now++
    expect(await supportFor()).toMatchObject({ is_eol: true })
  })

  test('measures an old run against the catalog of today', async () => {
    const { db, call, upload } = await openCatalogService()
    await nameCatalog(call)
    const report = { ...scan([]), artifacts: { images: [{ fullRef: 'quay.io/argoproj/argocd:v3.5.1' }] } }
    const { run_id } = await upload([], { report })
    const statusFor = async () => {
      const { items } = await call('reportFreshness', { params: { run_id } })
      return items.find((item) => item.artifact_type === 'image')
    }
    const before = await statusFor()
    expect(before).toMatchObject({ is_monitored: true, current_version: 'v3.5.1' })
    await db
      .insertInto('release')
      .values({
        project_id: before!.source_product_id!,
        type: 'app',
        chart_name: '',
        version: 'v99.0.0',
        published_at: 1_780_000_000,
        created_at: 0,
        url: '',
        release_notes: '',
        has_security_fix: 1,
        security_severity: 'critical',
        origin: 'user',
      })
      .execute()
    await nameCatalog(call)
    expect(await statusFor()).toMatchObject({
      status: 'major_behind',
      latest_version: 'v99.0.0',
      highest_severity_between: 'critical',
    })
  })
})
