import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Freshness } from '../../src/contract/freshness.ts'
import { markFaults } from '../../src/operations/catalog/release-faults.ts'
import { findFacts } from '../../src/operations/facts/state-facts.ts'
import { type StateFactKind, saveStateFacts } from '../../src/store/facts/state-fact.ts'
import { openService, type TestService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { save } from '../store/bundled.ts'
import { Media } from './every-medium.ts'
import { type Planted, plant, someFacts } from './planted.ts'

async function plantIn(service: TestService, one: Planted): Promise<string> {
  const { db, clock } = service
  await save(db, [one.project], clock.now)
  const facts: Partial<Record<StateFactKind, unknown[]>> = {
    project: one.projects,
    fault: one.faults,
    repository: one.repositories,
    rule: one.rules,
    exploited: one.exploited,
  }
  for (const [kind, own] of Object.entries(facts) as [StateFactKind, unknown[]][]) {
    await saveStateFacts(db, { source: 'file', kind, facts: own, asOf: null, answeredAt: clock.now, state: {} })
  }
  await markFaults(db, await findFacts(db))
  const place = { namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' }
  const images = one.images.map((fullRef) => ({ fullRef, ...place }))
  const [name] = one.project.helm_chart_names
  const helmCharts = one.charts.map((version) => ({ name, version, namespace: 'shop' }))
  const { run_id } = await service.upload([], { report: { ...scan([]), artifacts: { images, helmCharts } } })
  return run_id
}

/** Every text in which a version can stand, by medium. */
async function formatTexts(service: TestService, one: Planted, run_id: string): Promise<Record<string, string>> {
  const media = new Media(service, run_id)
  const freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
  const texts: Record<string, string> = {
    api: JSON.stringify(freshness),
    impact: JSON.stringify(await service.call('getImpact')),
    clusters: JSON.stringify(await service.call('listClusters')),
    'relt reports freshness': await media.cli('reports', 'freshness', run_id),
    'relt impact': await media.cli('impact'),
    'report page': await media.report(),
    'page of freshness': await media.page('/runs/{run_id}/freshness'),
    'page of impact': await media.page('/impact'),
    ...(await media.pipeline(freshness)),
  }
  const { releases } = await service.call('getFeed', { query: { mine: true, days: 365 } })
  texts.feed = JSON.stringify(releases.map(({ version }) => version))
  for (const cve of one.advisoryIds) {
    texts[`impact ${cve}`] = JSON.stringify(await service.call('getImpact', { query: { cve } }))
  }
  const [first] = freshness.items.flatMap(({ source_product_id }) => source_product_id ?? [])
  if (first !== undefined) {
    // The newest release of a project is no worse for a bad image of it.
    const { items } = await service.call('listClusterVersions', { query: { product_id: first } })
    texts['relt clusters versions'] = JSON.stringify(items)
  }
  return texts
}

/** Numbers of versions in a text. */
const numbersIn = (text: string) => new Set(text.match(/(?<![\d.-])7?4[12]\.\d\.\d(?![\d.])/g) ?? [])

test('no medium names a release that nobody should take', async () => {
  const service = await openService()
  let [number, named] = [0, 0]
  await fc.assert(
    fc.asyncProperty(someFacts, async (facts) => {
      const one = plant(facts, number++)
      const texts = await formatTexts(service, one, await plantIn(service, one))
      const running = numbersIn([...one.images, ...one.charts].join(' '))
      for (const [medium, text] of Object.entries(texts)) {
        const found = [...numbersIn(text)]
        const wrong = found.filter((version) => one.bad.has(version) && !running.has(version))
        expect({ medium, wrong }).toEqual({ medium, wrong: [] })
        named += found.length
      }
    }),
    { numRuns: 20, endOnFailure: true },
  )
  expect(named).toBeGreaterThan(500)
})
