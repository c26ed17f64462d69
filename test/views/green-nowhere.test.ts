import { beforeAll, describe, expect, test } from 'vitest'
import type { Freshness } from '../../src/contract/freshness.ts'
import { evaluateGate } from '../../src/gate/evaluate.ts'
import { policyOf } from '../gate/evidence.ts'
import { openCatalogService, type TestService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { Media } from './every-medium.ts'

/** The newest release of something that ended, in which nothing is behind. */
const ended = ['registry.k8s.io/ingress-nginx/controller:v1.15.1', 'minio/minio:RELEASE.2025-09-07T16-13-09Z']
const endedChart = { name: 'ingress-nginx', version: '4.15.1', namespace: 'a' }
/** Newer than all that is known. */
const above = 'traefik:v9.9.9'

const place = { namespace: 'a', workloadKind: 'Deployment', workloadName: 'w' }
const green = '\u001b[32m'

let service: TestService
let media: Media
let freshness: Freshness

beforeAll(async () => {
  service = await openCatalogService()
  const images = [...ended, above].map((fullRef) => ({ fullRef, ...place }))
  const report = { ...scan([], { cluster: 'shop' }), artifacts: { images, helmCharts: [endedChart] } }
  const { run_id } = await service.upload([], { report })
  media = new Media(service, run_id)
  freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
})

/** Rows of a table that name one of them, without what marks words in HTML. */
const rowsOf = (text: string, separator: string | RegExp) =>
  text.split(separator).filter((row) => /1\.15\.1|RELEASE\.2025-09-07|4\.15\.1/.test(row.replaceAll('<wbr>', '')))

describe("a retired project's newest release", () => {
  test('is up to date on the wire, with its state', () => {
    const items = freshness.items.filter(({ states }) => states!.includes('retired'))
    expect(items.map(({ status }) => status)).toEqual(['up_to_date', 'up_to_date', 'up_to_date'])
    expect(freshness.summary).toMatchObject({ up_to_date: 3, retired: 3, current_in_state: 3 })
  })

  test('is not green in a terminal', async () => {
    const rows = rowsOf(await media.terminal('reports', 'freshness', media.runId), '\n')
    expect(rows).toHaveLength(3)
    for (const row of rows) expect(row).toContain('retired')
    for (const row of rows) expect(row).not.toContain(green)
  })

  test.each(['reports freshness', 'clusters show'])('is called retired by relt %s', async (command) => {
    const [noun, verb] = command.split(' ')
    const told = noun === 'clusters' ? 'shop' : media.runId
    const text = await media.cli(noun!, verb!, told)
    for (const row of rowsOf(text, '\n')) expect(row).toMatch(/retired/i)
    expect(text).not.toMatch(/\bcurrent\b/)
  })

  test.each(['csv', 'tsv', 'markdown'])('is not called current as %s', async (format) => {
    const text = await media.cli('reports', 'freshness', media.runId, '--output', format)
    for (const row of rowsOf(text, '\n')) {
      expect(row).toContain('retired')
      expect(row).not.toMatch(/\bcurrent\b/)
    }
  })

  test.each([
    ['page', () => media.page('/runs/{run_id}/freshness')],
    ['HTML report', () => media.report()],
  ])('is not green on the %s', async (_, show) => {
    const html = await show()
    const rows = rowsOf(html, '<tr>').map((row) => row.split('</tr>')[0]!)
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(row).toContain('retired')
    for (const row of rows) expect(row).not.toMatch(/class="[^"]*\bgood\b/)
    expect(html).not.toMatch(/<h3>Current/)
  })

  test('is not counted as current for an assistant', async () => {
    const { said, answer } = await media.assistant()
    expect(said).toContain('0 current, 3 newest but retired')
    expect(answer).toContain('"retired"')
  })

  test('is no good news in a pipeline', async () => {
    const { markdown } = await media.pipeline(freshness)
    for (const row of rowsOf(markdown!, '\n')) expect(row).not.toMatch(/✅|\bcurrent\b/)
  })
})

describe('what is above all that is known', () => {
  const item = () => freshness.items.find(({ display_name }) => display_name.startsWith('traefik'))!

  test('is unknown on the wire, with its state, and no step leads back', () => {
    expect(item()).toMatchObject({ status: 'unknown', states: ['above_known'] })
    expect(Object.values(item().steps!)).toEqual([null, null, null, null, null])
  })

  test('leaves rules about versions undecided', async () => {
    const run = await service.call('getReport', { params: { run_id: media.runId } })
    const alone = { ...freshness, items: [item()] }
    const policy = policyOf(['major-behind>0', 'security-behind>=low'])
    const { rules } = evaluateGate(policy, { run, freshness: alone, findings: [] }, service.clock.now)
    expect(rules.map(({ verdict }) => verdict)).toEqual(['undecided', 'undecided'])
  })
})

test('old clients see four statuses, on every route that has one', async () => {
  const four = ['up_to_date', 'minor_behind', 'major_behind', 'unknown']
  const { run_id } = { run_id: media.runId }
  const answers = {
    freshness,
    clusters: await service.call('listClusters'),
    cluster: await service.call('listClusterVersions', {
      query: { product_id: freshness.items.find(({ source_product_id }) => source_product_id)!.source_product_id! },
    }),
    impact: await service.call('getImpact'),
    run: await service.call('getReport', { params: { run_id } }),
  }
  const statuses = [...JSON.stringify(answers).matchAll(/"(?:freshness_)?status":"([a-z_]+)"/g)].map(([, one]) => one!)
  expect(statuses.length).toBeGreaterThan(4)
  expect(statuses.filter((one) => !four.includes(one))).toEqual([])
})
