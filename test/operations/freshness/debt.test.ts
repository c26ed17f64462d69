import { describe, expect, test } from 'vitest'
import { formatTimestamp } from '../../../src/util/time.ts'
import { scan } from '../../reports/scan.ts'
import { day, now, openCatalogService } from '../service.ts'

async function withArgo() {
  const service = await openCatalogService()
  const { items } = await service.call('listProjects', { query: { search: 'Argo CD' } })
  const add = (version: string, daysAgo: number, more = {}) => {
    const published_at = formatTimestamp(now - daysAgo * day)
    return service.call('addRelease', {
      body: { product_id: items[0]!.id, type: 'app', version, published_at, ...more },
    })
  }
  const upload = (daysAgo: number) => {
    const report = {
      ...scan([], { generatedAt: formatTimestamp(now - daysAgo * day) }),
      artifacts: { images: [{ fullRef: 'quay.io/argoproj/argocd:v90.0.0', namespace: 'a' }] },
    }
    return service.upload([], { report: { ...report, daysAgo } })
  }
  await add('v90.0.0', 50)
  await add('v90.1.0', 30, { has_security_fix: true })
  await add('v91.0.0', 10)
  return { ...service, upload }
}

describe('freshness as of a time', () => {
  test.each([
    [undefined, 'major_behind', 'v91.0.0'],
    [formatTimestamp(now - 10 * day), 'major_behind', 'v91.0.0'],
    [formatTimestamp(now - 10 * day - 1), 'minor_behind', 'v90.1.0'],
    [formatTimestamp(now - 40 * day), 'up_to_date', 'v90.0.0'],
  ])('%s', async (as_of, status, latest_version) => {
    const { call, upload } = await withArgo()
    const { run_id } = await upload(1)
    const { items } = await call('reportFreshness', { params: { run_id }, query: as_of ? { as_of } : {} })
    expect(items.find((item) => item.artifact_type === 'image')).toMatchObject({ status, latest_version })
  })
})

describe('the debt of a trend', () => {
  test('is what was out when each run came', async () => {
    const { call, upload, db } = await withArgo()
    for (const daysAgo of [45, 20, 5]) await upload(daysAgo)
    // Kubernetes is behind as well, by releases that this test does not count.
    await db.deleteFrom('project').where('slug', '=', 'kubernetes').execute()
    const trends = await call('reportTrends', { query: { debt: true, window_days: 90 } })
    expect('points' in trends && trends.points.map(({ debt }) => debt)).toEqual([
      { artifacts_behind: 0, releases_behind: 0, days_behind: 0, security_fixes_behind: 0 },
      { artifacts_behind: 1, releases_behind: 1, days_behind: 20, security_fixes_behind: 1 },
      { artifacts_behind: 1, releases_behind: 2, days_behind: 40, security_fixes_behind: 1 },
    ])
  })

  test('is told by cluster as well, and only when asked for', async () => {
    const { call, upload } = await withArgo()
    await upload(5)
    const plain = await call('reportTrends', {})
    expect('points' in plain && Object.keys(plain.points[0]!)).not.toContain('debt')
    const trends = await call('reportTrends', { query: { debt: true, group_by_cluster: true } })
    expect('clusters' in trends && trends.clusters[0]!.points[0]!.debt).toMatchObject({ artifacts_behind: 2 })
  })

  test('of many runs is measured for sixty, the newest among them', async () => {
    const { call, upload } = await withArgo()
    for (let run = 100; run > 0; run--) await upload(run / 4)
    const trends = await call('reportTrends', { query: { debt: true } })
    const points = 'points' in trends ? trends.points : []
    expect(points).toHaveLength(100)
    expect(points.filter(({ debt }) => debt !== null)).toHaveLength(60)
    expect(points.at(-1)!.debt).not.toBeNull()
  })
})
