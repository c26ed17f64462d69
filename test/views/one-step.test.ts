import { expect, test } from 'vitest'
import type { Freshness, FreshnessItem } from '../../src/contract/freshness.ts'
import { parseVersion } from '../../src/freshness/versions.ts'
import { stepToTake, wayText } from '../../src/lifecycle/step-text.ts'
import { bundledProjects } from '../helpers/bundled-catalog.ts'
import { openCatalogService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { Media } from './every-medium.ts'

/** The first image of each project in a version from the middle of its history. */
function middleAged(): string[] {
  return bundledProjects().flatMap(({ image_repositories: [repository], releases }) => {
    const apps = releases.filter(({ type, version }) => type === 'app' && /^v?\d+\.\d+\.\d+$/.test(version))
    const middle = apps[Math.floor(apps.length / 3)]
    return repository && middle && parseVersion(middle.version) ? [`${repository}:${middle.version}`] : []
  })
}

const places = (fullRef: string, index: number) => ({
  ...{ fullRef, namespace: 'a', workloadKind: 'Deployment', workloadName: `w${index}` },
})

const toWay = (item: Pick<FreshnessItem, 'steps' | 'eol'>): string => {
  const step = stepToTake(item)
  return step ? wayText(step) : ''
}

/** The texts of the rows of a page's tables. */
const toRows = (page: string) =>
  [...page.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    row!
      .replaceAll('<wbr>', '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  )

test('200 artifacts have the same step in every medium', async () => {
  const service = await openCatalogService()
  const images = middleAged().slice(0, 200)
  expect(images).toHaveLength(200)
  const report = { ...scan([], { cluster: 'shop' }), artifacts: { images: images.map(places) } }
  const { run_id } = await service.upload([], { report })
  const media = new Media(service, run_id)
  const freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
  const stepFor = new Map(freshness.items.map((item) => [item.artifact_key, toWay(item)]))
  const items = freshness.items.filter(({ artifact_type }) => artifact_type === 'image')
  expect(items.filter((item) => toWay(item) !== '').length).toBeGreaterThan(140)

  // Old clients read these fields, and know four statuses.
  for (const { steps, same_line_version, fixed_in, status } of freshness.items) {
    expect([same_line_version, fixed_in]).toEqual([steps!.line?.version ?? null, steps!.clean?.version ?? null])
    expect(['up_to_date', 'minor_behind', 'major_behind', 'unknown']).toContain(status)
  }

  const differing: string[] = []
  const compare = (medium: string, key: string, told: string | undefined) => {
    if (told !== stepFor.get(key)) differing.push(`${medium}: ${key} → ${told}, not ${stepFor.get(key)}`)
  }
  const impact = await service.call('getImpact')
  expect(impact.items.length).toBeGreaterThan(50)
  for (const { artifact_key, step } of impact.items) compare('impact', artifact_key, step ? wayText(step) : '')
  for (const { source_product_id: product_id } of items.filter(({ source_product_id }) => source_product_id !== null)) {
    const found = await service.call('listClusterVersions', { query: { product_id: product_id! } })
    for (const { artifact_type, name, version, step } of found.items)
      if (artifact_type === 'image') compare('versions', `${name}:${version}`, step ? wayText(step) : '')
  }

  const csv = await media.cli('reports', 'freshness', run_id, '--output', 'csv')
  const table = await media.cli('reports', 'freshness', run_id)
  const report200 = toRows(await media.report())
  const page = toRows(await media.page('/runs/{run_id}/freshness'))
  const { gate, sarif, markdown, vex } = await media.pipeline(freshness)
  const seen: Record<string, number> = {}
  for (const item of items) {
    const { display_name, artifact_key, current_version, managed_by } = item
    const step = stepFor.get(artifact_key)!
    if (managed_by) continue
    const short = display_name.slice(0, -current_version!.length - 1)
    const isNamed = (text: string | undefined) => text === undefined || text.includes(step === '' ? '' : step)
    const rows = {
      csv: csv.split('\n').find((line) => line.includes(`,${display_name},`)),
      table: table.split('\n').find((line) => line.includes(` ${short} `) && line.includes(` ${current_version} `)),
      report: report200.find((row) => row.includes(` ${short} `) && row.includes(` ${current_version} `)),
      page: page.find((row) => row.includes(` ${short} `) && row.includes(` ${current_version} `)),
    }
    for (const [medium, row] of Object.entries(rows)) if (row !== undefined) seen[medium] = (seen[medium] ?? 0) + 1
    for (const [medium, row] of Object.entries(rows))
      if (!isNamed(row)) differing.push(`${medium}: ${row}, not ${step}`)
    if ((item.advisories_count ?? 0) === 0 || step === '') continue
    if (!sarif!.includes(`take ${step}`) && !sarif!.includes(`fixed in ${step}`))
      differing.push(`SARIF lacks take ${step} of ${display_name}`)
  }
  // The evidence of a rule is cut after some.
  const steps = new Set(freshness.items.filter((item) => !item.managed_by).map((item) => toWay(item)))
  for (const text of [gate!, vex!.replaceAll(/\.? (?=\S+: )/g, '; '), markdown!.replaceAll('&#46;', '.')]) {
    const taken = [...text.matchAll(/; take ([^;"|]+?)(?=[;"|]| \|)/g)].map(([, way]) => way!.trim())
    expect(taken.length).toBeGreaterThan(10)
    expect(taken.filter((way) => !steps.has(way))).toEqual([])
  }
  // A page of the server has the first rows.
  const least = { csv: 150, table: 150, report: 120, page: 30 }
  for (const [medium, count] of Object.entries(least)) expect([medium, seen[medium]! > count]).toEqual([medium, true])
  expect(differing).toEqual([])
})
