import { expect, test } from 'vitest'
import { readPlans } from '../../src/config/plans.ts'
import type { RouteName } from '../../src/contract/routes.ts'
import { clustersPage } from '../../src/html/pages/clusters.ts'
import { View } from '../../src/html/pages/view.ts'
import { renderFleetReport } from '../../src/html/report/fleet.ts'
import { listFindings } from '../../src/mcp/tools/findings.ts'
import { fleetStatus } from '../../src/mcp/tools/fleet.ts'
import { answersText } from '../../src/metrics/answers.ts'
import { makeFleetReport } from '../../src/operations/fleet/fleet-report.ts'
import { activateDelivery } from '../../src/operations/notifications/activate-delivery.ts'
import { createSender } from '../../src/operations/notifications/deliver.ts'
import { routeEvents } from '../../src/operations/notifications/route-events.ts'
import type { Request } from '../../src/service/handler.ts'
import { invoke } from '../../src/service/invoke.ts'
import { findOwner } from '../../src/store/accounts/owner.ts'
import { parseTexts } from '../../src/util/json-text.ts'
import { formatTimestamp, parseTimestamp } from '../../src/util/time.ts'
import { type Fleet, fleetSummary, fleetVerdict } from '../../src/views/fleet.ts'
import { plainText } from '../../src/views/said.ts'
import { openReceivers } from '../helpers/carrier.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { openService } from '../operations/service.ts'
import { type Row, scan, toBytes } from '../reports/scan.ts'
import { viewer, withoutTags } from './media.ts'

/** `count` findings of a check; each check has its own resources. */
const rows = (count: number, check = 'NET001', severity = 'critical'): Row[] =>
  Array.from({ length: count }, (_, i) => ({ check, severity, namespace: 'shop', resource: `service/${check}-${i}` }))

/** A server in Berlin, whose clock follows its uploads. */
async function openServer(timeZone = 'Europe/Berlin') {
  const { db, vault, user, clock } = await openService()
  const app = { db, vault: async () => vault, plans: readPlans({}), now: () => clock.now, timeZone }
  const call = async (name: RouteName, request: Partial<Request> = {}) =>
    parseTexts(await invoke(app, name, { user, ...request })) as never
  const { received, carrier } = openReceivers()
  const slack_webhook = 'https://hooks.slack.example/services/T0/B0/secret'
  await call('updateAccountSettings', {
    body: { slack_webhook, cluster_events: 'report.regressed', min_severity: 'none' },
  })
  await activateDelivery(app, carrier.channels, clock.now)
  const home = temporaryFolder()
  const print = async (...argv: string[]) => {
    const { stdout, stderr } = await runCli(argv, {
      ...{ home, now: clock.now, columns: 200, env: { NO_COLOR: '1' } },
      between: (client) => ({ ...client, call: call as never }),
    })
    return stdout + stderr
  }
  const ask = async (tool: typeof fleetStatus, args = {}) =>
    (await tool.ask(call as never, args, { rows: { offset: 0, limit: 50 }, now: clock.now })).answer
  return {
    call,
    ask,
    print,
    at: (time: string) => {
      clock.now = parseTimestamp(time)!
    },
    /** A scan at a time, and what a receiver gets of it. */
    scan: async (time: string, found: Row[]) => {
      clock.now = parseTimestamp(time)!
      const before = received.length
      await call('uploadReport', {
        body: {},
        report: toBytes(scan(found, { generatedAt: time, passed: ['NET001', 'NET002'] })),
      })
      await routeEvents(app, clock.now)
      await createSender(app, { carrier, now: () => clock.now }).drain()
      return received
        .slice(before)
        .flatMap(({ message }) =>
          message.events.map((event) => event.type === 'report.regressed' && [event.counts, event.sinceText]),
        )
    },
    /** What every medium says. */
    media: async () => {
      const status = (await call('listClusters', { query: {} })) as { summary: object; items: never[]; total: number }
      const { id: ownerId } = (await findOwner(db, user.id))!
      const report = await makeFleetReport(db, { ...app, ownerId, now: clock.now, days: 30 })
      const view = new View({ path: '/', query: {}, viewer, now: clock.now })
      const page = String((await clustersPage.show({ params: {}, query: {}, view, call: call as never })).body)
      const metrics = answersText(await call('getClusterMetrics'), 'prometheus')
      const found = (await ask(listFindings, { state: 'new,regressed' })) as { findings: number; since: string }
      const { summary } = (await ask(fleetStatus)) as { summary: { news: object } }
      return {
        terminal: await print('status'),
        cluster: await print('status', 'shop'),
        page: withoutTags(page),
        report: withoutTags(renderFleetReport(report)),
        mail: Object.values(fleetSummary(report.fleet, clock.now)).flat().join('\n'),
        listed: await print('findings', 'list', '--state', 'new,regressed'),
        metrics: /changed_findings\{[^}]*severity="critical",change="new"\} (\d+)/.exec(metrics)?.[1],
        since: /news_since_timestamp_seconds\{[^}]*\} (\d+)/.exec(metrics)?.[1],
        assistant: { news: summary.news, findings: found.findings, since: found.since },
        status,
      }
    },
  }
}

/** Each medium says both groups, and what they count. */
async function expectGroups(
  { media }: Awaited<ReturnType<typeof openServer>>,
  { since, news, standing, findings }: { since: string; news: string; standing: string; findings: number },
) {
  const said = await media()
  const at = formatTimestamp(Number(said.since))
  for (const text of [said.terminal, said.page, said.report, said.mail]) {
    expect(text).toContain(news)
    expect(text).toContain(`Standing: ${standing}`)
  }
  expect(said.cluster).toContain(news)
  expect(said.listed).toContain(`New since ${since}.`)
  expect(said.listed).toMatch(findings === 0 ? /No new or regressed finding/ : new RegExp(`${findings} findings? in`))
  expect(said.assistant).toMatchObject({ news: { since: at, findings }, findings, since: at })
  expect(said.metrics).toBe(String(findings))
  return said
}

const old = rows(1, 'OLD001')

test('news of the night are told at noon, after a scan without changes', async () => {
  const server = await openServer()
  await server.scan('2026-08-30 06:00:00', old)
  const sent = [
    await server.scan('2026-08-31 05:00:00', old),
    await server.scan('2026-09-01 01:00:00', [...old, ...rows(8)]),
    await server.scan('2026-09-01 10:00:00', [...old, ...rows(8)]),
  ]
  expect(sent).toEqual([[], [[{ critical: 8 }, 'Mon 08:00']], []])
  const said = await expectGroups(server, {
    since: 'Mon 08:00',
    news: 'New since Mon 08:00: 8 critical of 8 findings',
    standing: '9 critical in 1 cluster, not accepted, the oldest for 2 d',
    findings: 8,
  })
  expect(said.terminal).toContain('1 of 1 cluster needs attention')
  server.at('2026-09-02 10:00:00')
  const next = await expectGroups(server, {
    since: 'Tue 08:00',
    news: 'Nothing new since Tue 08:00',
    standing: '9 critical in 1 cluster, not accepted, the oldest for 3 d',
    findings: 0,
  })
  expect(next.mail).toContain('Nothing new since Tue 08:00. Standing: 9 critical')
  for (const text of [next.terminal, next.page, next.report, next.mail]) expect(text).not.toMatch(/needs? attention/)
})

test('a weekend counts from Friday morning on', async () => {
  const server = await openServer()
  await server.scan('2026-08-28 05:00:00', old)
  expect(await server.scan('2026-08-28 20:00:00', [...old, ...rows(3)])).toEqual([[{ critical: 3 }, 'Thu 08:00']])
  expect(await server.scan('2026-08-30 20:00:00', [...old, ...rows(3)])).toEqual([])
  const expected = {
    since: 'Fri 08:00',
    news: 'New since Fri 08:00: 3 critical of 3 findings',
    standing: '4 critical in 1 cluster, not accepted, the oldest for 3 d',
    findings: 3,
  }
  for (const time of ['2026-08-31 06:30:00', '2026-08-31 21:30:00']) {
    server.at(time)
    await expectGroups(server, expected)
  }
})

test('everything of a first run is new, and stands', async () => {
  const server = await openServer()
  expect(await server.scan('2026-09-01 10:00:00', rows(3))).toEqual([[{ critical: 3 }, 'Mon 08:00']])
  await expectGroups(server, {
    since: 'Mon 08:00',
    news: 'New since Mon 08:00: 3 critical of 3 findings',
    standing: '3 critical in 1 cluster, not accepted, the oldest for 0 h',
    findings: 3,
  })
})

test('what was gone in between is no news', async () => {
  const server = await openServer()
  await server.scan('2026-08-31 05:00:00', [...old, ...rows(2)])
  const sent = [
    await server.scan('2026-08-31 20:00:00', old),
    await server.scan('2026-09-01 05:00:00', [...old, ...rows(2)]),
  ]
  expect(sent).toEqual([[], []])
  await expectGroups(server, {
    since: 'Mon 08:00',
    news: 'Nothing new since Mon 08:00',
    standing: '3 critical in 1 cluster, not accepted, the oldest for 24 h',
    findings: 0,
  })
})

test('what was there before the time, not at it, and is back now, regressed', async () => {
  const server = await openServer()
  await server.scan('2026-08-30 05:00:00', [...old, ...rows(2)])
  await server.scan('2026-08-31 05:00:00', old)
  await server.scan('2026-09-01 01:00:00', [...old, ...rows(2)])
  await server.scan('2026-09-01 10:00:00', [...old, ...rows(2)])
  const { terminal, listed } = await server.media()
  expect(terminal).toContain('2 regressed critical')
  expect(listed).toMatch(/2 findings in .*: new, regressed/)
  expect(await server.print('findings', 'list', '--state', 'new')).toContain('No new finding')
})

test('findings of a check that an update of the scanner brought are new', async () => {
  const server = await openServer()
  await server.scan('2026-08-31 05:00:00', old)
  expect(await server.scan('2026-09-01 01:00:00', [...old, ...rows(2, 'BRAND001')])).toEqual([
    [{ critical: 2 }, 'Mon 08:00'],
  ])
  await expectGroups(server, {
    since: 'Mon 08:00',
    news: 'New since Mon 08:00: 2 critical of 2 findings',
    standing: '3 critical in 1 cluster, not accepted, the oldest for 20 h',
    findings: 2,
  })
})

test('another time is counted on request, by an interval or a day', async () => {
  const server = await openServer()
  await server.scan('2026-08-20 05:00:00', old)
  await server.scan('2026-08-27 05:00:00', [...old, ...rows(2)])
  await server.scan('2026-09-01 10:00:00', [...old, ...rows(2), ...rows(1, 'NET002')])
  const asked = server.print
  expect(await asked('status')).toContain('New since Mon 08:00: 1 critical of 1 finding.')
  for (const since of ['7d', '2026-08-25']) {
    const day = since === '7d' ? '2026-08-25 12:00' : '2026-08-25 02:00'
    expect(await asked('status', '--since', since)).toContain(`New since ${day}: 3 critical of 3 findings.`)
    expect(await asked('status', 'shop', '--since', since)).toContain(`New since ${day}: 3 critical of 3 findings.`)
    expect(await asked('findings', 'list', '--state', 'new', '--since', since)).toContain(
      '3 findings in shop (prod): new',
    )
    expect(JSON.parse(await asked('reports', 'compare', '--since', since, '--json'))).toMatchObject({
      new_findings_count: 3,
      since: since === '7d' ? '2026-08-25 10:00:00' : '2026-08-25 00:00:00',
    })
  }
  expect(await server.ask(listFindings, { state: 'new', since: '2026-08-25' })).toMatchObject({ findings: 3 })
  expect(await server.ask(fleetStatus, { since: '2026-08-25' })).toMatchObject({ summary: { news: { critical: 3 } } })
  expect(await asked('reports', 'compare', '--since', '2026-08-01')).toContain('until 2026-08-01 00:00:00')
  expect(await asked('status', '--since', 'soon')).toContain('Use an interval such as 24h or 7d')
})

test('what an exception accepts is neither new nor does it stand', async () => {
  const server = await openServer()
  await server.scan('2026-08-31 05:00:00', old)
  await server.scan('2026-09-01 01:00:00', [...old, ...rows(2)])
  const body = { cluster_name: 'shop', reason: 'Known', expires_on: '2026-10-01' }
  await server.call('createException', { body: { ...body, check: 'OLD001' } })
  await server.call('createException', { body: { ...body, check: 'NET001', resource: 'service/NET001-0' } })
  const { terminal } = await server.media()
  expect(terminal).toContain('New since Mon 08:00: 1 critical of 1 finding.')
  expect(terminal).toContain('Standing: 1 critical in 1 cluster, not accepted, the oldest for 0 h')
})

test('a request compares 200 runs, and says how many clusters it does not know', async () => {
  const { call, at } = await openServer()
  at('2026-09-01 10:00:00')
  for (let i = 0; i < 202; i++) {
    const report = scan(old, { cluster: `shop-${i}`, generatedAt: '2026-08-31 05:00:00' })
    await call('uploadReport', { body: {}, report: toBytes(report) })
  }
  const load = async (query = {}): Promise<Fleet> => call('listClusters', { query: { per_page: 100, ...query } })
  let found = await load()
  for (let i = 0; i < 5 && found.summary!.pending > 0; i++) found = await load()
  expect(found.summary).toMatchObject({ pending: 0, news: { findings: 0 } })
  const asked = await load({ since: '2026-08-25', page: 3 })
  expect(asked.summary).toMatchObject({ pending: 2, news: { findings: 200 } })
  expect(asked.items.map(({ has_figures }) => has_figures)).toEqual([false, false])
  const { gaps } = fleetVerdict({ ...asked, summary: { ...asked.summary!, now: undefined, needs_attention: 0 } }, 0)
  expect(gaps.map(plainText)).toContain('The figures of 2 clusters are missing or outdated')
  expect((await load({ since: '2026-08-25', cluster_name: 'shop-201' })).summary).toMatchObject({ pending: 0 })
})
