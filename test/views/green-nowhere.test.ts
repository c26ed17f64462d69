import { expect, test } from 'vitest'
import type { Freshness } from '../../src/contract/freshness.ts'
import { policyFor } from '../gate/evidence.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { openCatalogService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { Media } from './every-medium.ts'

/** The newest release of something that ended, in which nothing is behind. */
const ended = ['registry.k8s.io/ingress-nginx/controller:v1.15.1', 'minio/minio:RELEASE.2025-09-07T16-13-09Z']
const endedChart = { name: 'ingress-nginx', version: '4.15.1', namespace: 'a' }
/** Newer than all that is known. */
const above = 'traefik:v9.9.9'

const place = { namespace: 'a', workloadKind: 'Deployment', workloadName: 'w' }
const green = '\u001b[32m'

async function open() {
  const service = await openCatalogService()
  const images = [...ended, above].map((fullRef) => ({ fullRef, ...place }))
  const report = { ...scan([], { cluster: 'shop' }), artifacts: { images, helmCharts: [endedChart] } }
  const { run_id } = await service.upload([], { report })
  const freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
  return { ...service, run_id, freshness, media: new Media(service, run_id) }
}

/** Rows that name one of them. */
const toRows = (text: string, separator: string) =>
  text.split(separator).filter((row) => /1\.15\.1|RELEASE\.2025-09-07|4\.15\.1/.test(row.replaceAll('<wbr>', '')))

test("a retired project's newest release is up to date on the wire, and green in no medium", async () => {
  const { freshness, media, run_id } = await open()
  const items = freshness.items.filter(({ states }) => states!.includes('retired'))
  expect(items.map(({ status }) => status)).toEqual(['up_to_date', 'up_to_date', 'up_to_date'])
  expect(freshness.summary).toMatchObject({ up_to_date: 3, retired: 3, current_in_state: 3 })

  const colored = toRows(await media.terminal('reports', 'freshness', run_id), '\n')
  expect(colored).toHaveLength(3)
  for (const row of colored) expect(row).not.toContain(green)
  const texts = {
    terminal: colored,
    pipe: toRows(await media.cli('reports', 'freshness', run_id), '\n'),
    csv: toRows(await media.cli('reports', 'freshness', run_id, '--output', 'csv'), '\n'),
    markdown: toRows(await media.cli('reports', 'freshness', run_id, '--output', 'markdown'), '\n'),
  }
  for (const [medium, rows] of Object.entries(texts)) {
    for (const row of rows) expect([medium, row]).toEqual([medium, expect.stringMatching(/retired/i)])
    for (const row of rows) expect([medium, row]).toEqual([medium, expect.not.stringMatching(/\bcurrent\b|✅/)])
  }

  for (const html of [await media.page('/runs/{run_id}/freshness'), await media.report()]) {
    const rows = toRows(html, '<tr>').map((row) => row.split('</tr>')[0]!)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toContain('retired')
    for (const row of rows) expect(row).not.toMatch(/class="[^"]*\bgood\b/)
    expect(html).not.toContain('<h3>Current')
  }

  const { said, answer } = await media.assistant()
  expect(said).toContain('0 current, 3 newest but retired')
  expect(answer).toContain('"retired"')
  const { markdown } = await media.pipeline(freshness)
  for (const row of toRows(markdown!, '\n')) expect(row).not.toMatch(/\bcurrent\b|✅/)
})

test('what is above all that is known is unknown on the wire, and leaves rules about versions undecided', async () => {
  const { freshness, call, clock, run_id } = await open()
  const item = freshness.items.find(({ display_name }) => display_name.startsWith('traefik'))!
  expect(item).toMatchObject({ status: 'unknown', states: ['above_known'] })
  expect(Object.values(item.steps!)).toEqual([null, null, null, null, null])
  const run = await call('getReport', { params: { run_id } })
  const policy = policyFor(['major-behind>0', 'security-behind>=low'])
  const { rules } = evaluateGate(policy, { run, freshness: { ...freshness, items: [item] }, findings: [] }, clock.now)
  expect(rules.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided'])
})

test('old clients see four statuses, on every route that has one', async () => {
  const { freshness, call, run_id } = await open()
  const ids = new Set(freshness.items.flatMap(({ source_product_id }) => source_product_id ?? []))
  const answers: unknown[] = [
    freshness,
    await call('listClusters'),
    await call('getImpact'),
    await call('getReport', { params: { run_id } }),
  ]
  for (const product_id of ids) answers.push(await call('listClusterVersions', { query: { product_id } }))
  const statuses = [...JSON.stringify(answers).matchAll(/"status":"([a-z_]+)"/g)].map(([, one]) => one!)
  expect(statuses.length).toBeGreaterThan(4)
  const four = ['up_to_date', 'minor_behind', 'major_behind', 'unknown']
  expect(statuses.filter((one) => !four.includes(one))).toEqual([])
})
