import { beforeEach, describe, expect, test } from 'vitest'
import type { FleetCluster } from '../../../../src/contract/cluster.ts'
import { refreshClusters } from '../../../../src/operations/fleet/refresh.ts'
import { sealedPieceCount } from '../../../helpers/sealed-pieces.ts'
import { scan } from '../../../reports/scan.ts'
import { project, release, save } from '../../../store/bundled.ts'
import { at, day, now, openRoutes, refusalFor, type TestRoutes } from '../../harness.ts'

let service: TestRoutes
beforeEach(async () => {
  service = await openRoutes()
})

interface Scan {
  cluster?: string
  environment?: string
  days?: number
  score?: number
  criticals?: string[]
  images?: string[]
  kubernetes?: string
}

/** Uploads a report of so many days ago. */
async function upload({ days = 0, criticals = [], images = [], ...more }: Scan): Promise<string> {
  const { cluster = 'shop', environment = 'prod', score = 80, kubernetes = 'v1.36.0' } = more
  const rows = criticals.map((resource) => ({ check: 'SEC001', severity: 'critical', resource }))
  const report = scan(rows, { cluster, score, generatedAt: at(days), passed: ['SEC001'].slice(rows.length) })
  report.metadata.kubernetesVersion = kubernetes
  const artifacts = { images: images.map((fullRef) => ({ fullRef, namespace: 'a' })) }
  const { run_id } = await service.upload([], {
    user: service.ada,
    report: { ...report, artifacts },
    body: { environment },
  })
  return run_id
}

const list = (query: object = {}) => service.as(service.ada, 'listClusters', { query })
const get = async (name: string): Promise<FleetCluster> => {
  const { items } = await list({ cluster_name: name })
  return items[0]!
}

const argo = (version: string) => `quay.io/argoproj/argocd:${version}`

describe('figures', () => {
  test('are those of the latest run against the run before it', async () => {
    await upload({ days: 3, score: 90, criticals: ['pod/back', 'pod/stays'] })
    await upload({ days: 2, score: 85, criticals: ['pod/stays', 'pod/goes'] })
    const run_id = await upload({ days: 1, score: 70, criticals: ['pod/stays', 'pod/back', 'pod/new'] })
    expect(await get('shop')).toMatchObject({
      environment: 'prod',
      last_scan: at(1),
      latest_run: { run_id, score: 70, score_delta: -15 },
      scores: [90, 85, 70],
      changes: {
        new_findings: 1,
        new_critical: 1,
        regressed_findings: 1,
        regressed_critical: 1,
        resolved_findings: 1,
      },
      has_figures: true,
      attention: ['new_critical', 'score_fell', 'new_findings'],
    })
  })

  test('of changes count all of a first run as new', async () => {
    await upload({ criticals: ['pod/a'] })
    expect(await get('shop')).toMatchObject({ changes: { new_critical: 1 }, attention_now: ['new_critical'] })
  })

  test('follow a run that is deleted, and one of earlier that comes late', async () => {
    await upload({ days: 3, criticals: [] })
    const middle = await upload({ days: 2, criticals: ['pod/a'] })
    await upload({ days: 1, criticals: ['pod/a'] })
    expect((await get('shop')).changes).toMatchObject({ new_findings: 0 })
    await service.as(service.ada, 'deleteReport', { params: { run_id: middle } })
    expect((await get('shop')).changes).toMatchObject({ new_findings: 1, regressed_findings: 0 })
    await upload({ days: 5, criticals: ['pod/a'] })
    expect((await get('shop')).changes).toMatchObject({ new_findings: 0, regressed_findings: 1 })
  })

  test('of versions follow the catalog', async () => {
    await upload({ images: [argo('v3.4.8'), 'registry.example/own:1'] })
    expect((await get('shop')).freshness).toMatchObject({ artifacts: 2, known: 1, minor_behind: 1, major_behind: 0 })
    const body = { product_id: service.ids['argo-cd']!, type: 'app' as const, version: 'v4.0.0' }
    await service.as(service.admin, 'addRelease', { body })
    expect((await get('shop')).freshness).toMatchObject({ minor_behind: 0, major_behind: 1, is_current: true })
  })

  test('are those of a run with an inventory', async () => {
    await upload({ days: 2, images: [argo('v3.4.8')] })
    await upload({ days: 1 })
    expect((await get('shop')).freshness).toMatchObject({ artifacts: 1, minor_behind: 1 })
  })

  test('follow the day on which a support ends', async () => {
    await save(service.db, [project('kubernetes', { name: 'Kubernetes', releases: [release('v1.30.0', at(1))] })], now)
    await upload({ kubernetes: 'v1.34.0' })
    const { freshness } = await get('shop')
    expect(freshness).toMatchObject({ ended: 0 })
    service.clock.now = Date.UTC(2030, 0, 1) / 1000
    expect(await get('shop')).toMatchObject({ freshness: { ended: 1 }, attention: ['stale_scan', 'support_ended'] })
  })

  test('agree with the answers that they are made of', async () => {
    await upload({ days: 2, criticals: ['pod/a', 'pod/b'], images: [argo('v3.4.8')] })
    const run_id = await upload({ days: 1, criticals: ['pod/b', 'pod/c'], images: [argo('v3.4.8'), 'nginx:1.29.0'] })
    const { changes, freshness } = await get('shop')
    const comparison = await service.as(service.ada, 'compareReports')
    expect(changes).toMatchObject({
      new_findings: comparison.new_findings_count,
      regressed_findings: comparison.regressed_findings_count,
      resolved_findings: comparison.resolved_findings_count,
    })
    const { summary, coverage } = await service.as(service.ada, 'reportFreshness', { params: { run_id } })
    expect(freshness).toMatchObject({
      artifacts: coverage!.artifacts,
      known: coverage!.known,
      minor_behind: summary.minor_behind,
      major_behind: summary.major_behind,
    })
  })

  test('are made for some clusters in a call, and the others are said to be pending', async () => {
    for (let index = 0; index < 52; index++) await upload({ cluster: `cluster-${String(index).padStart(2, '0')}` })
    const first = await list({ per_page: 100 })
    expect(first.summary.pending).toBe(2)
    expect(first.items.filter(({ has_figures }) => !has_figures)).toHaveLength(2)
    expect((await list()).summary.pending).toBe(0)
  })

  test('are all made again in a call after the catalog changed, and no older ones are shown', async () => {
    for (let index = 0; index < 52; index++) await upload({ cluster: `cluster-${index}`, images: [argo('v3.4.8')] })
    while ((await list()).summary.pending > 0);
    const before = await list({ per_page: 100 })
    const body = { product_id: service.ids['argo-cd']!, type: 'app' as const, version: 'v4.0.0' }
    await service.as(service.admin, 'addRelease', { body })
    const after = await list({ per_page: 100 })
    expect(after.summary.pending).toBe(0)
    const behind = ({ items }: typeof after) => items.map(({ freshness }) => freshness?.major_behind)
    expect([new Set(behind(before)), new Set(behind(after))]).toEqual([new Set([0]), new Set([1])])
    expect(after.items.map(({ changes }) => changes)).toEqual(before.items.map(({ changes }) => changes))
  })

  test('of a cluster whose runs change while they are made stay missing', async () => {
    await upload({ days: 3, criticals: ['pod/a'] })
    await upload({ days: 1, criticals: ['pod/a'] })
    let uploads = 0
    // Opened after the runs were looked up. The upload becomes the run that the latest is compared with.
    const vault = async () => {
      if (uploads++ === 0) await upload({ days: 2, criticals: ['pod/a', 'pod/b'] })
      return service.vault
    }
    expect(await refreshClusters(service.db, { vault, now })).toBe(0)
    expect(await get('shop')).toMatchObject({ changes: { resolved_findings: 1 } })
  })
})

describe('a list', () => {
  test('is in the order of urgency, of scores or of scans', async () => {
    await upload({ cluster: 'calm', days: 0.7, score: 95 })
    await upload({ cluster: 'fell', days: 3, score: 60 })
    await upload({ cluster: 'fell', days: 0.8, score: 50 })
    await upload({ cluster: 'new', days: 5 })
    await upload({ cluster: 'new', days: 0.9, criticals: ['pod/a'] })
    const names = async (sort: string) => (await list({ sort })).items.map(({ cluster_name }) => cluster_name)
    expect(await names('urgency')).toEqual(['new', 'fell', 'calm'])
    expect(await names('score')).toEqual(['fell', 'new', 'calm'])
    expect(await names('last_scan')).toEqual(['new', 'fell', 'calm'])
    expect(await names('name')).toEqual(['calm', 'fell', 'new'])
    expect((await list()).summary).toEqual({
      clusters: 3,
      attention: { new_critical: 1, new_findings: 1, score_fell: 1 },
      needs_attention: 2,
      standing: { clusters: 1, oldest_critical: expect.any(String), critical: 1, affected_critical: 0, ended: 0 },
      news: expect.objectContaining({ findings: 1, critical: 1 }),
      pending: 0,
      never_reported: [],
      now: { attention: { new_critical: 1, score_fell: 1 }, clusters: 2, known: 0 },
    })
  })

  test('has only the clusters of its owner', async () => {
    await upload({})
    const eve = await service.addUser('eve')
    expect(await service.as(eve, 'listClusters')).toMatchObject({ items: [], summary: { clusters: 0 } })
  })
})

describe('a cluster', () => {
  const change = (cluster: FleetCluster, body: object) =>
    service.as(service.ada, 'updateCluster', { params: { cluster_id: cluster.cluster_id }, body })

  test('is renamed with its runs', async () => {
    const run_id = await upload({})
    const cluster = await get('shop')
    await change(cluster, { cluster_name: 'store', environment: 'test' })
    expect(await service.as(service.ada, 'getReport', { params: { run_id } })).toMatchObject({
      cluster_name: 'store',
      environment: 'test',
    })
    expect(await get('store')).toMatchObject({ cluster_id: cluster.cluster_id })
  })

  test('is not merged with another of the same name', async () => {
    await upload({})
    await upload({ cluster: 'other' })
    const [other, shop] = [await get('other'), await get('shop')]
    const refused = change(other, { cluster_name: 'shop' })
    await expect(refused).rejects.toMatchObject({ code: 'conflict', id: shop.cluster_id })
    expect((await list()).total).toBe(2)
  })

  test('keeps its labels and expected interval, and is overdue after it', async () => {
    await upload({ days: 1 })
    const cluster = await get('shop')
    expect(cluster).toMatchObject({ labels: [], expected_every: null, overdue: null })
    const changed = await change(cluster, { labels: ['b', 'a', 'b'], expected_every: 2 * 86_400 })
    expect(changed).toMatchObject({ labels: ['a', 'b'], expected_every: 2 * 86_400, overdue: false })
    service.clock.now += 1.5 * day
    expect(await get('shop')).toMatchObject({ overdue: false, attention: [] })
    service.clock.now += 1
    expect(await get('shop')).toMatchObject({ overdue: true, attention: ['overdue'] })
    expect((await list({ label: 'a' })).total).toBe(1)
    expect((await list({ label: 'c' })).total).toBe(0)
    expect(await change(cluster, { expected_every: null })).toMatchObject({ labels: ['a', 'b'], overdue: null })
  })

  test('with an expected interval stays when its last run goes', async () => {
    const run_id = await upload({})
    const cluster = await get('shop')
    await change(cluster, { expected_every: 3600 })
    await service.as(service.ada, 'deleteReport', { params: { run_id } })
    expect(await get('shop')).toMatchObject({ last_scan: null, latest_run: null, attention: ['overdue', 'no_scan'] })
    expect(await refusalFor(service.as(service.ada, 'compareReports'))).toMatch(/^not_found/)
    expect((await service.as(service.ada, 'listReports')).items).toEqual([])
  })

  test('is deleted with everything that is sealed of it', async () => {
    await upload({ days: 2, images: [argo('v3.4.8')] })
    await upload({ days: 1, images: [argo('v3.4.8')] })
    const params = { cluster_id: (await get('shop')).cluster_id }
    await service.as(service.ada, 'deleteCluster', { params })
    expect(await sealedPieceCount(service.db)).toBe(0)
    for (const table of [
      'cluster',
      'run',
      'run_finding',
      'finding_history',
      'cluster_summary',
      'scanner_change',
    ] as const) {
      expect(await service.db.selectFrom(table).selectAll().execute()).toEqual([])
    }
    const { rows } = { rows: await service.db.selectFrom('audit').select(['action', 'subject']).execute() }
    expect(rows).toContainEqual({ action: 'cluster.delete', subject: params.cluster_id })
    expect(await refusalFor(service.as(service.ada, 'getCluster', { params }))).toBe(
      `not_found: No cluster with id ${params.cluster_id}.`,
    )
  })

  test('of another owner is not found', async () => {
    await upload({})
    const { cluster_id } = await get('shop')
    const eve = await service.addUser('eve')
    const params = { cluster_id }
    const calls = [
      () => service.as(eve, 'getCluster', { params }),
      () => service.as(eve, 'updateCluster', { params, body: { labels: [] } }),
      () => service.as(eve, 'deleteCluster', { params }),
      () => service.as(eve, 'compareClusters', { query: { from: cluster_id, to: cluster_id } }),
    ]
    for (const call of calls) expect(await refusalFor(call())).toBe(`not_found: No cluster with id ${cluster_id}.`)
  })
})

describe('versions', () => {
  test('of a project are told for every cluster, the furthest behind first', async () => {
    await upload({ cluster: 'a', images: [argo('v3.5.1')] })
    await upload({ cluster: 'b', images: [argo('v3.4.8'), argo('v3.5.1')] })
    await upload({ cluster: 'c', images: ['nginx:1.29.0'] })
    await upload({ cluster: 'd' })
    const query = { product_id: service.ids['argo-cd'] }
    const found = await service.as(service.ada, 'listClusterVersions', { query })
    expect(found).toMatchObject({
      product: { name: 'Argo CD', latest_version: 'v3.5.1' },
      summary: { clusters: 4, running: 2, with_inventory: 3, pending: 0 },
      unknown: [{ cluster_name: 'd' }],
    })
    expect(found.items.map(({ cluster_name, version }) => `${cluster_name} ${version}`)).toEqual([
      'b v3.4.8',
      'a v3.5.1',
      'b v3.5.1',
    ])
    expect(found.items[0]).toMatchObject({ releases_behind: 1, status: 'minor_behind' })
  })

  test('are sealed', async () => {
    await upload({ images: [argo('v3.4.8')] })
    await list()
    const parts = await service.db.selectFrom('run_part').select('sealed').where('kind', '=', 'running').execute()
    expect(parts).toHaveLength(3)
    for (const { sealed } of parts) expect(Buffer.from(sealed).toString('latin1')).not.toMatch(/argo/i)
  })

  test('of two clusters are compared', async () => {
    await upload({
      cluster: 'a',
      images: [argo('v3.4.8'), 'nginx:1.29.0', 'registry.example/own:7', 'one.example/x:1'],
    })
    await upload({ cluster: 'b', images: [argo('v3.5.1'), 'nginx:1.29.0', 'registry.example/own:6'] })
    const [from, to] = [(await get('a')).cluster_id, (await get('b')).cluster_id]
    const { items, summary } = await service.as(service.ada, 'compareClusters', { query: { from, to } })
    const lines = items.map(({ name, from, to, difference }) => `${name}: ${from} ${difference} ${to}`)
    expect(lines).toEqual([
      'Argo CD: v3.4.8 from_behind v3.5.1',
      'one.example/x: 1 only_from ',
      'registry.example/own: 7 to_behind 6',
      'docker.io/library/nginx: 1.29.0 same 1.29.0',
      'kubernetes: v1.36.0 same v1.36.0',
    ])
    expect(summary).toEqual({ from_behind: 1, only_from: 1, to_behind: 1, same: 2 })
  })
})
