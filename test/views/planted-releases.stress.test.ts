import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Freshness } from '../../src/contract/freshness.ts'
import { importFacts } from '../../src/operations/catalog/own-facts.ts'
import { saveAdvisoriesFor } from '../../src/store/catalog/catalog-advisory.ts'
import { saveCycles } from '../../src/store/catalog/cycle.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { anyPlantedCatalog, type PlantedCatalog, planted } from '../freshness/steps/planted-catalog.ts'
import { openCatalogService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { Media } from './every-medium.ts'

/** A store that has the catalog, and a cluster that runs its projects. */
async function openPlanted({ projects, facts }: PlantedCatalog) {
  const service = await openCatalogService()
  const { db, call, upload, clock } = service
  for (const { slug, repository, releases, advisories, cycles } of projects) {
    const project = {
      ...{ slug, name: slug, repo_url: `https://example.com/${slug}`, cncf_status: 'open-source' as const },
      image_repositories: [repository],
    }
    await call('syncProjects', { body: { projects: [project] } })
    const { items } = await call('listProjects', { query: { search: slug } })
    const product_id = items.find((one) => one.slug === slug)!.id
    for (const [index, version] of releases.entries()) {
      const published_at = formatTimestamp(clock.now - (1000 - index) * 3600)
      await call('addRelease', { body: { product_id, version, type: 'app', published_at } })
    }
    const told = advisories.map(({ ranges, publishedAt, exploited: _, ...advisory }) => ({
      ...{ ...advisory, affected: ranges, published_at: publishedAt, is_record_date: false },
      ...{ modified_at: null, withdrawn_at: null, summary: '', databases: [] },
    }))
    await db.transaction().execute(async (trx) => {
      await saveAdvisoriesFor(trx, product_id, 'github', told)
      await saveCycles(trx, product_id, cycles)
    })
  }
  const exploited = projects.flatMap(({ advisories }) =>
    advisories.flatMap(({ id, exploited }) => (exploited ? [{ id, since: exploited.since }] : [])),
  )
  await importFacts(db, Buffer.from(JSON.stringify({ ...facts, exploited })), clock.now)
  const images = projects.map(({ repository, running }, index) => ({
    ...{ fullRef: `${repository}:${running}`, namespace: 'a', workloadKind: 'Deployment', workloadName: `w${index}` },
  }))
  const { run_id } = await upload([], { report: { ...scan([], { cluster: 'shop' }), artifacts: { images } } })
  return { service, run_id }
}

test('no medium names a planted release of a random catalog', async () => {
  let advised = 0
  await fc.assert(
    fc.asyncProperty(anyPlantedCatalog, async (catalog) => {
      const { service, run_id } = await openPlanted(catalog)
      const media = new Media(service, run_id)
      const freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
      advised += freshness.items.filter(({ steps }) => steps?.newest).length
      const versions = freshness.items.flatMap(({ source_product_id }) => source_product_id ?? [])
      const texts = {
        freshness: JSON.stringify(freshness),
        impact: JSON.stringify(await service.call('getImpact')),
        versions: JSON.stringify(
          await Promise.all(
            versions.map((product_id) => service.call('listClusterVersions', { query: { product_id } })),
          ),
        ),
        feed: JSON.stringify(await service.call('getRecentReleases', { query: { limit: 20 } })),
        status: await media.cli('status'),
        clusters: await media.cli('status', '--all', '--output', 'wide'),
        csv: await media.cli('reports', 'freshness', run_id, '--output', 'csv'),
        table: await media.cli('reports', 'freshness', run_id),
        report: await media.report(),
        page: await media.page('/runs/{run_id}/freshness'),
        ...(await media.pipeline(freshness)),
      }
      const naming = Object.entries(texts).filter(([, text]) => text.replaceAll('<wbr>', '').includes(planted))
      expect(naming.map(([medium]) => medium)).toEqual([])
    }),
    { numRuns: 8 },
  )
  expect(advised).toBeGreaterThan(0)
})
