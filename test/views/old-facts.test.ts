import { expect, onTestFinished, test } from 'vitest'
import { factsLimit, usualFactsDays } from '../../src/contract/facts-age.ts'
import type { Freshness } from '../../src/contract/freshness.ts'
import { openService as openStore } from '../../src/service/service.ts'
import { parseTimestamp } from '../../src/util/time.ts'
import { freshnessVerdict } from '../../src/views/freshness.ts'
import { plainText } from '../../src/views/said.ts'
import { policyFor } from '../gate/evidence.ts'
import { temporaryFolder } from '../helpers/cli.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { openCatalogService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { Media } from './every-medium.ts'

const green = '\u001b[32m'
const knownUntil = '2026-08-22'
const place = { namespace: 'a', workloadKind: 'Deployment', workloadName: 'w' }
/** An image, a line, a chart and Kubernetes, each the newest that is known on that day. */
const newest = ['nginx:1.31.4', 'postgres:18']
const newestChart = { name: 'prometheus', version: '29.27.0', namespace: 'a' }
const newestKubernetes = 'v1.36.4'
const behind = 'postgres:17.10'
const retired = 'registry.k8s.io/ingress-nginx/controller:v1.15.1'
/** Rows about one of them; a line has no version of its own. */
const toRows = (text: string, separator = '\n') =>
  text
    .replaceAll('<wbr>', '')
    .split(separator)
    .filter((row) => /1\.31\.4|29\.27\.0|1\.36\.4/.test(row))

/** All of them, so many days after that day. */
async function open(days: number) {
  const service = await openCatalogService()
  service.clock.now = parseTimestamp(knownUntil)! + days * 86_400
  const images = [...newest, behind, retired].map((fullRef) => ({ fullRef, ...place }))
  const report = { ...scan([], { cluster: 'shop' }), artifacts: { images, helmCharts: [newestChart] } }
  report.metadata.kubernetesVersion = newestKubernetes
  const { run_id } = await service.upload([], { report })
  const freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
  const itemOf = (name: string) => freshness.items.find(({ artifact_key }) => artifact_key.includes(name))!
  return { ...service, run_id, freshness, itemOf, media: new Media(service, run_id) }
}

/** What each medium says of those that are the newest known. */
async function listVoices({ media, run_id, freshness, call }: Awaited<ReturnType<typeof open>>) {
  const { markdown } = await media.pipeline(freshness)
  const report = await media.report()
  const rows: Record<string, string[]> = {
    terminal: toRows(await media.terminal('reports', 'freshness', run_id, '--full')),
    pipe: toRows(await media.cli('reports', 'freshness', run_id)),
    csv: toRows(await media.cli('reports', 'freshness', run_id, '--output', 'csv')),
    markdown: toRows(await media.cli('reports', 'freshness', run_id, '--output', 'markdown')),
    pipeline: toRows(markdown!).filter((row) => row.startsWith('|')),
    page: toRows(await media.page('/runs/{run_id}/freshness'), '<tr>').map((row) => row.split('</tr>')[0]!),
  }
  const ids = freshness.items.flatMap(({ source_product_id }) => source_product_id ?? [])
  const versions = await Promise.all(
    [...new Set(ids)].map((product_id) => media.cli('clusters', 'versions', String(product_id), '--output', 'csv')),
  )
  return { rows, report, versions: toRows(versions.join('')), metrics: await call('getClusterMetrics', {}) }
}

test.each([89, 90])('%i days after its facts, the newest known release is current in every medium', async (days) => {
  const opened = await open(days)
  const items = [...newest, 'prometheus@29', 'kubernetes@'].map(opened.itemOf)
  expect(items.map(({ status, states }) => ({ status, states }))).toEqual(
    items.map(() => ({ status: 'up_to_date', states: [] })),
  )
  expect(opened.freshness.summary).toMatchObject({ up_to_date: 5, newest_known: 0 })
  const { rows, report, versions, metrics } = await listVoices(opened)
  for (const [medium, said] of Object.entries(rows)) {
    if (medium !== 'pipeline') expect([medium, said.length]).toEqual([medium, 3])
    for (const row of said) expect([medium, row]).toEqual([medium, expect.not.stringMatching(/newest known/i)])
  }
  expect(report).toContain('<h3>Current (')
  expect(report).not.toMatch(/newest known/i)
  expect(versions.length).toBeGreaterThan(0)
  for (const row of versions) expect(row).not.toContain('newest known')
  expect(metrics.items[0]!.running!.artifacts.current).toBe(3)
  expect(metrics.catalog_date).toBe(knownUntil)
  expect((await opened.media.assistant()).said).toContain('4 current')
  expect(await opened.media.terminal('reports', 'freshness', opened.run_id)).toMatch(/^\+\d current or unknown: /m)
})

test.each([91, 800])('%i days after its facts, nothing is called current in any medium', async (days) => {
  const opened = await open(days)
  const { freshness, itemOf, media } = opened
  for (const item of [...newest, 'prometheus@29', 'kubernetes@'].map(itemOf)) {
    const { status, states, catalog_date, reason, recommendation } = item
    expect({ status, states, catalog_date }).toEqual({
      status: 'up_to_date',
      states: expect.arrayContaining(['old_facts']),
      catalog_date: knownUntil,
    })
    expect(reason).toMatch(/newest (?:release )?known, as of 2026-08-22/)
    expect(recommendation).not.toContain('Nothing to do')
  }
  // Whatever the day, what is behind is behind, and what is retired is retired.
  expect(itemOf('17.10')).toMatchObject({ status: 'major_behind', releases_behind_at_least: true })
  expect(itemOf('v1.15.1').states).toContain('retired')
  expect(itemOf('v1.15.1').states).not.toContain('old_facts')

  const { rows, report, versions, metrics } = await listVoices(opened)
  for (const [medium, said] of Object.entries(rows)) {
    expect(said.join()).not.toContain(green)
    for (const row of said) expect([medium, row]).toEqual([medium, expect.not.stringMatching(/\bcurrent\b|✅|"good/)])
  }
  expect(report).not.toContain('<h3>Current')
  expect(versions.length).toBeGreaterThan(0)
  for (const row of versions) expect(row).toMatch(/\((?:newest known|unsupported)\)/)
  expect(metrics.items[0]!.running!.artifacts.current).toBe(0)
  const short = await media.terminal('reports', 'freshness', opened.run_id)
  expect(short).toMatch(/^\+\d newest known or unknown: /m)
  expect(short).not.toMatch(/\bcurrent\b/)
  const { said, answer } = await media.assistant()
  expect(said).toContain(', 0 current, ')
  expect(answer).toContain('"old_facts"')
  for (const text of [await media.cli('status'), await media.page('/')])
    expect(text).toMatch(/Facts (?:of|are)[^.]* days/)
  expect(await media.page('/runs/{run_id}/freshness')).toContain('days old')
  if (days === 91) {
    expect(freshness.summary).toMatchObject({ up_to_date: 5, newest_known: 4, current_in_state: 1 })
    for (const medium of ['terminal', 'pipe', 'markdown', 'page']) {
      for (const row of rows[medium]!)
        expect([medium, row]).toEqual([medium, expect.stringMatching(/newest known|old.{1,2}facts/i)])
    }
    expect(report).toContain('<h3>Not known to be current (')
    expect(report).toContain('as of 2026-08-22')
  }
})

test.each([
  ['major-behind>0', 89, 'passed'],
  ['major-behind>0', 91, 'undecided'],
  // Not even if all of them were behind would it fail.
  ['major-behind>9', 91, 'passed'],
  ['security-behind>=low>0', 91, 'undecided'],
])('%s is, %i days after the facts, %s by what is the newest known', async (rule, days, verdict) => {
  const { freshness, itemOf, call, clock, run_id } = await open(days)
  const items = newest.map(itemOf)
  const run = await call('getReport', { params: { run_id } })
  const result = evaluateGate(policyFor([rule]), { run, freshness: { ...freshness, items }, findings: [] }, clock.now)
  expect(result.rules[0]!.verdict).toBe(verdict)
  if (verdict !== 'undecided') return
  expect(result.causes[0]).toMatchObject({
    reason: expect.stringContaining('the oldest are of 2026-08-22'),
    cure: 'Get newer facts: relt catalog sync, or relt catalog import FILE without internet',
  })
})

test('what is a major version behind fails the gate, however old the facts are', async () => {
  const service = await openCatalogService()
  service.clock.now = parseTimestamp('2028-03-01')!
  const report = { ...scan([]), artifacts: { images: [{ fullRef: 'postgres:15.1', ...place }] } }
  const { run_id } = await service.upload([], { report })
  const freshness = (await service.call('reportFreshness', { params: { run_id } })) as Freshness
  const run = await service.call('getReport', { params: { run_id } })
  const { rules } = evaluateGate(policyFor(['major-behind>0']), { run, freshness, findings: [] }, service.clock.now)
  expect(rules.map(({ verdict }) => verdict)).toEqual(['failed'])
})

test('an answer of a source makes the newest known release current again', async () => {
  const opened = await open(100)
  const { db, call, clock, run_id } = opened
  const { id } = await db.selectFrom('project').select('id').where('slug', '=', 'nginx').executeTakeFirstOrThrow()
  const source = { project_id: id, kind: 'github' as const, url: 'u', outcome: 'unchanged' as const }
  await db
    .insertInto('source')
    .values({ ...source, looked_at: clock.now, answered_at: clock.now })
    .execute()
  const { items } = await call('reportFreshness', { params: { run_id } })
  const [item] = items.filter(({ artifact_key }) => artifact_key.includes('nginx:1.31.4'))
  expect(item).toMatchObject({ status: 'up_to_date', states: [], catalog_date: '2026-11-30' })
})

test.each([
  ['30', 31, ['old_facts']],
  ['30', 30, []],
  ['120', 120, []],
])('RELT_CATALOG_MAX_AGE=%s counts %i days after the facts', async (days, after, states) => {
  const service = await openStore({ env: { RELT_HOME: temporaryFolder(), RELT_CATALOG_MAX_AGE: days }, now: () => 0 })
  await service.db.destroy()
  onTestFinished(() => {
    factsLimit.days = usualFactsDays
  })
  const { itemOf, freshness, clock } = await open(after)
  expect(itemOf('nginx:1.31.4').states).toEqual(states)
  expect(freshnessVerdict(freshness, clock.now).gaps.map(plainText).join()).toEqual(
    states.length > 0 ? expect.stringContaining('days old') : expect.not.stringContaining('days old'),
  )
})
