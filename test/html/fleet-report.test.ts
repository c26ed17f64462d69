import { expect, test } from 'vitest'
import { type FleetReport, renderFleetReport } from '../../src/html/report/fleet.ts'
import { redactFleet } from '../../src/html/report/redact-fleet.ts'
import { formatTimestamp } from '../../src/util/time.ts'
import { day, now, openService } from '../operations/service.ts'
import { scan } from '../reports/scan.ts'
import { toFleetReport } from './fleet-reports.ts'

test('a report of 100 clusters has all of them, and at most 3 MB', async () => {
  const report = await toFleetReport(100)
  const page = renderFleetReport(report)
  expect(Buffer.byteLength(page)).toBeLessThan(3_000_000)
  for (const id of ['gaps', 'clusters', 'changes', 'upgrade', 'trends', 'origin'])
    expect(page).toContain(`<section id="${id}"`)
  expect(page).not.toContain('<script>:')
  expect(page.split('prod-99&lt;script&gt;').length).toBeGreaterThan(3)
  expect(page.match(/<figure/g)).toHaveLength(100)
})

test('what is not known is said once, with the clusters that it is about', async () => {
  const report = await toFleetReport(100)
  const gaps = (one: FleetReport) => /<section id="gaps"[\s\S]*?<\/section>/.exec(renderFleetReport(one))![0]
  expect(gaps(report)).toContain('All 100 clusters: No gate has judged it.')
  expect(gaps(report).match(/<li>/g)!.length).toBeLessThan(10)
  const gate = { verdict: 'pass', at: '2026-08-31 00:00:00' } as never
  const [first, ...others] = report.fleet.items
  const judged = { ...first!, gate }
  const some = gaps({ ...report, fleet: { ...report.fleet, items: [judged, ...others] } })
  expect(some).toMatch(/prod-8&lt;script&gt;<\/bdi>\/<bdi>prod<\/bdi> and 91 more clusters: No gate has judged it\./)
  expect(some).not.toContain('prod-0&lt;')
})

test('a part without facts says why', async () => {
  const report = await toFleetReport(1)
  const page = renderFleetReport({
    ...report,
    trends: { missing: 'The server does not answer.' },
    upgrade: { missing: 'There is no plan.' },
  })
  expect(page).toContain('Trends: <bdi>The server does not answer.</bdi>')
  expect(page).toContain('Upgrades: <bdi>There is no plan.</bdi>')
})

test('a fleet without clusters is no good news', async () => {
  const { call } = await openService()
  const { items, summary } = await call('listClusters', {})
  const rest = { label: 'team-a', madeAt: now, version: '0.1.0', server: null }
  const page = renderFleetReport({
    ...rest,
    fleet: { items, total: 0, summary },
    trends: { found: { days: 30, clusters: [] } },
    upgrade: { found: await call('getFleetUpgrade', {}) },
  })
  expect(page).toContain('No clusters yet')
  expect(page).not.toContain('class="verdict passed"')
})

const secret = 'zq7'

test('a redacted report numbers clusters alike in all of it, and shows nothing that a user named', async () => {
  const { call, upload } = await openService(':memory:', undefined, { catalog: true })
  const image = { fullRef: `registry.${secret}.example/app-${secret}:1.0-${secret}`, namespace: `ns-${secret}` }
  const images = [
    { ...image, workloadKind: 'Deployment', workloadName: `web-${secret}` },
    {
      fullRef: 'ghcr.io/kedacore/keda:2.18.3',
      namespace: `ns-${secret}`,
      workloadKind: 'Deployment',
      workloadName: secret,
    },
  ]
  const rows = [{ check: 'SEC001', severity: 'critical', namespace: `ns-${secret}`, resource: `pod/${secret}` }]
  for (const cluster of ['a', 'b']) {
    const name = `${cluster}-${secret}`
    for (const days of [2, 1]) {
      const generatedAt = formatTimestamp(now - days * day)
      const report = { ...scan(rows, { cluster: name, score: 90 - 10 / days, generatedAt }), artifacts: { images } }
      await upload([], {
        report,
        body: { environment: `env-${secret}`, cluster: { name, labels: [`label-${secret}`] } },
      })
    }
  }
  await call('setOwners', { body: { owners: [{ owner: `team-${secret}` }] } })
  const { items, total, summary } = await call('listClusters', {})
  const trends = await call('reportTrends', { query: { group_by_cluster: true } })
  const never = { expected_every: 3600, expected_since: formatTimestamp(now) }
  const report: FleetReport = {
    fleet: {
      ...{ items: [...items], total },
      summary: { ...summary, never_reported: [{ cluster_name: `c-${secret}`, environment: secret, ...never }] },
    },
    label: `label-${secret}`,
    trends: { found: { days: 30, clusters: 'clusters' in trends ? trends.clusters : [] } },
    upgrade: { found: await call('getFleetUpgrade', {}) },
    ...{ madeAt: now, version: '0.1.0', server: `${secret}.example` },
  }
  expect(renderFleetReport(report).split(secret).length).toBeGreaterThan(20)
  for (const kinds of [['names'], ['namespaces'], ['names', 'ids']] as const) {
    const page = renderFleetReport(redactFleet(report, kinds))
    expect(page).not.toContain(secret)
    expect(page).toContain('cluster-3')
    for (const section of ['clusters', 'upgrade', 'trends']) {
      const [text] = new RegExp(`<section id="${section}"[\\s\\S]*?</section>`).exec(page)!
      expect(text).toMatch(/cluster-1[\s\S]*cluster-2|cluster-2[\s\S]*cluster-1/)
      expect(text).not.toContain('cluster-3')
    }
  }
  const lost = { missing: `${secret} does not answer`, isForeign: true }
  expect(renderFleetReport(redactFleet({ ...report, trends: lost, upgrade: lost }, ['names']))).not.toContain(secret)
})
