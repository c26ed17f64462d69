import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { setMeta } from '../../../src/db/meta.ts'
import { formatTimestamp } from '../../../src/util/time.ts'
import type { BundledRelease } from '../../helpers/bundled-catalog.ts'
import { scan } from '../../reports/scan.ts'
import { project, release, save } from '../../store/bundled.ts'
import { day, now, openService } from '../service.ts'

const at = (days: number) => formatTimestamp(now - days * day)

const catalog = (releases: BundledRelease[]) => [
  project('web', { image_repositories: ['docker.io/library/web'], helm_chart_names: ['web'], releases }),
  project('cache', {
    image_repositories: ['docker.io/library/cache'],
    releases: [release('7.2.0', at(3)), release('7.0.5', at(2)), release('7.0.0', at(90))],
  }),
]

async function openWith(releases: BundledRelease[]) {
  const service = await openService()
  await save(service.db, catalog(releases), now)
  await setMeta(service.db, 'catalog_date', '2099-01-01')
  const run = (cluster: string, images: string[], charts: object[] = []) =>
    service.upload([], {
      report: {
        ...scan([], { cluster }),
        artifacts: { images: images.map((fullRef) => ({ fullRef, namespace: 'a' })), helmCharts: charts },
      },
    })
  const mine = async (days = 7) => service.call('getFeed', { query: { mine: true, days } })
  return { ...service, run, mine }
}

const versions = ['1.0.0', '1.0.1', '1.1.0', '1.2.0', '2.0.0', '2.0.0-rc.1', '2.1.0-rc.1']
const someReleases = fc.uniqueArray(
  fc.record({
    version: fc.constantFrom(...versions),
    type: fc.constantFrom('app' as const, 'pre' as const, 'helm' as const),
    daysAgo: fc.integer({ min: -2, max: 30 }),
  }),
  { selector: ({ version, type }) => `${version} ${type}`, maxLength: 8 },
)
const someClusters = fc.array(
  fc.record({
    tags: fc.array(fc.constantFrom('1.0.0', '1.1.0', '1.1', '1', '2.0.0-rc.1', '2.0.0', 'latest', 'odd'), {
      maxLength: 4,
    }),
    chart: fc.constantFrom(undefined, '1.0.0', '2.0.0-rc.1'),
    hasCache: fc.boolean(),
  }),
  { maxLength: 3 },
)

test('counts a workload once, whichever of its artifacts a release concerns', async () => {
  const { upload, mine } = await openWith([release('1.1.0', at(1)), release('1.0.0', at(30))])
  const image = (tag: string, workloadName: string) => ({
    fullRef: `web:${tag}`,
    ...{ namespace: 'a', workloadKind: 'Deployment', workloadName },
  })
  for (const cluster of ['c0', 'c1']) {
    const images = [image('1.0.0', 'shop'), image('1.0', 'shop'), image('1.0', 'cart'), image('0.9.0', 'cart')]
    await upload([], { report: { ...scan([], { cluster }), artifacts: { images } } })
  }
  const { releases } = await mine()
  expect(releases).toMatchObject([{ version: '1.1.0', affects: { clusters: 2, workloads: 4 } }])
  expect(releases[0]!.affects!.artifacts).toBeGreaterThan(4)
})

test('has every release of its period of which impact lists something, with the same counts', async () => {
  await fc.assert(
    fc.asyncProperty(
      someReleases,
      someClusters,
      fc.constantFrom(undefined, 'helm', 'app,helm,pre'),
      fc.integer({ min: 1, max: 20 }),
      async (releases, clusters, types, days) => {
        const { call, db, run, mine } = await openWith(
          releases.map(({ version, type, daysAgo }) =>
            release(version, at(daysAgo), { type, chartName: type === 'helm' ? 'web' : null }),
          ),
        )
        const rows = await db.selectFrom('release').selectAll().execute()
        for (const [i, { tags, chart, hasCache }] of clusters.entries()) {
          const images = [...tags.map((tag) => `web:${tag}`), ...(hasCache ? ['cache:7.0.0'] : [])]
          await run(`c${i}`, images, chart === undefined ? [] : [{ name: 'web', version: chart, namespace: 'a' }])
        }
        if (types !== undefined) {
          const { subscription_id } = await call('toggleSubscription', { body: { product_id: rows[0]!.project_id } })
          await call('updateSettings', { body: { subscription_id, release_types_filter: types } })
        }
        const feed = new Map((await mine(days)).releases.map((each) => [each.release_id!, each]))
        for (const row of rows.filter(({ published_at }) => published_at <= now)) {
          const { items, summary } = await call('getImpact', { query: { release_id: String(row.id) } })
          const listed = feed.get(row.id)
          const isInPeriod = row.published_at >= now - days * day
          expect(listed !== undefined).toBe(isInPeriod && items.length > 0)
          if (!listed) continue
          expect(listed.affects).toEqual({
            clusters: summary.clusters,
            workloads: summary.workloads,
            artifacts: items.length,
            is_certain: items.some(({ is_certain }) => is_certain),
          })
        }
      },
    ),
    { numRuns: 30 },
  )
})

describe('the feed of what runs', () => {
  test('has releases for tags that state no version, and says that they are open', async () => {
    const { run, mine } = await openWith([release('1.1.0', at(1)), release('1.0.0', at(50))])
    await run('blue', ['web:latest'])
    const { releases } = await mine()
    expect(releases).toMatchObject([{ version: '1.1.0', affects: { artifacts: 1, is_certain: false } }])
  })

  test('counts what is behind a security fix from before the period', async () => {
    const { run, mine, call } = await openWith([release('1.0.0', at(50))])
    await run('blue', ['web:1.0.0'])
    const { items } = await call('listProjects', { query: { search: 'web' } })
    const fix = { type: 'app', version: '1.0.1', has_security_fix: true, published_at: at(20) }
    await call('addRelease', { body: { product_id: items[0]!.id, ...fix } })
    expect(await mine()).toMatchObject({ releases: [], looked_at: { behind_older_fixes: 1 } })
    expect(await mine(30)).toMatchObject({ releases: [{ version: '1.0.1' }], looked_at: { behind_older_fixes: 0 } })
  })

  test('says how much of each cluster it could measure', async () => {
    const { run, mine } = await openWith([release('1.1.0', at(1)), release('1.0.0', at(50))])
    await run('blue', ['web:1.0.0', 'web:latest', 'elsewhere.example/ours:3'])
    await run('bare', [])
    expect((await mine()).looked_at).toEqual({
      subscriptions: 0,
      projects: 1,
      security_known: 0,
      clusters: [
        expect.objectContaining({ cluster_name: 'bare', environment: 'prod', artifacts: 0, known: 0 }),
        expect.objectContaining({ cluster_name: 'blue', environment: 'prod', artifacts: 3, known: 1 }),
      ],
      behind_older_fixes: 0,
    })
  })
})
