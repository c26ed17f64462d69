import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { clustersPage } from '../../src/html/pages/clusters.ts'
import { View } from '../../src/html/pages/view.ts'
import { renderFleetReport } from '../../src/html/report/fleet.ts'
import { fleetStatus } from '../../src/mcp/tools/fleet.ts'
import { answersText } from '../../src/metrics/answers.ts'
import { makeFleetReport } from '../../src/operations/fleet/fleet-report.ts'
import { findOwner } from '../../src/store/accounts/owner.ts'
import { fleetSummary } from '../../src/views/fleet.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { openService } from '../operations/service.ts'
import { type Row, scan } from '../reports/scan.ts'
import { viewer, withoutTags } from './media.ts'

const inCi = { GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'a/b', GITHUB_REF_NAME: 'main', GITHUB_REF_TYPE: 'branch' }
const ofRequest = { ...inCi, GITHUB_HEAD_REF: 'f', GITHUB_BASE_REF: 'main', GITHUB_REF: 'refs/pull/7/merge' }

const rows = (...names: string[]): Row[] =>
  names.map((name) => ({ check: 'NET001', severity: 'critical', namespace: 'shop', resource: `service/${name}` }))

/** Pipelines over one server, and what each medium says of the cluster's gate after them. */
async function openLife() {
  const service = await openService()
  const { db, vault, user, clock, call } = service
  const home = temporaryFolder()
  const run = (argv: string[], env = {}) =>
    runCli(argv, {
      ...{ home, now: clock.now, columns: 200, env: { NO_COLOR: '1', ...env } },
      between: (client) => ({ ...client, call: call as never }),
    })
  let builds = 0
  return {
    clock,
    run,
    ci: async (found: Row[], { env = {}, policy = '' }: { env?: object; policy?: string } = {}) => {
      clock.now += 3600
      const [file, rules] = [join(home, 'report.json'), join(home, 'relt.yaml')]
      writeFileSync(rules, `gate:\n  fail_on: ['new>=critical']\n${policy}`)
      const generatedAt = new Date(clock.now * 1000).toISOString()
      writeFileSync(file, JSON.stringify(scan(found, { generatedAt, passed: ['NET001'] })))
      const build = Object.keys(env).length > 0 ? { ...env, GITHUB_RUN_ID: String(++builds) } : {}
      return (await run(['ci', file, '--policy', rules], build)).code
    },
    said: async () => {
      await call('listClusters', { query: {} })
      const app = { db, vault: async () => vault, now: clock.now, timeZone: 'UTC' }
      const { id: ownerId } = (await findOwner(db, user.id))!
      const report = await makeFleetReport(db, { ...app, ownerId, days: 30 } as never)
      const view = new View({ path: '/', query: {}, viewer, now: clock.now })
      const page = String((await clustersPage.show({ params: {}, query: {}, view, call: call as never })).body)
      const metrics = answersText((await call('getClusterMetrics')) as never, 'prometheus')
      const asked = { rows: { offset: 0, limit: 50 }, now: clock.now }
      const assistant = (await fleetStatus.ask(call as never, {}, asked)).answer
      const verdictIn = (text: string) => /gate (failed|undecided|passed)/i.exec(text)?.[1]
      return {
        terminal: verdictIn((await run(['status', 'shop'])).stdout),
        page: verdictIn(withoutTags(page)),
        report: verdictIn(withoutTags(renderFleetReport(report))),
        mail: verdictIn(Object.values(fleetSummary(report.fleet, clock.now)).flat().join('\n')),
        metrics: /gate_verdict\{[^}]*verdict="(\w+)"[^}]*\} 1/.exec(metrics)?.[1],
        assistant: /"gate":\{"verdict":"(\w+)"/.exec(JSON.stringify(assistant))?.[1],
      }
    },
  }
}

type Life = Awaited<ReturnType<typeof openLife>>

test.each<[string, 'failed' | 'undecided' | 'passed', (life: Life) => Promise<void>]>([
  [
    'a failure and an unchanged scan after it',
    'failed',
    async ({ ci }) => {
      expect([await ci(rows('a')), await ci(rows('a', 'b')), await ci(rows('a', 'b'))]).toEqual([0, 5, 5])
    },
  ],
  [
    'a failure that was mended',
    'passed',
    async ({ ci }) => {
      expect([await ci(rows('a')), await ci(rows('a', 'b')), await ci(rows('a'))]).toEqual([0, 5, 0])
    },
  ],
  [
    'a failure that was taken in',
    'passed',
    async ({ ci, run }) => {
      expect([await ci(rows('a')), await ci(rows('a', 'b'))]).toEqual([0, 5])
      expect((await run(['gate', 'baseline', '--reason', 'x'])).code).toBe(0)
      expect(await ci(rows('a', 'b'))).toBe(0)
    },
  ],
  [
    'a first run in CI',
    'undecided',
    async ({ ci }) => {
      expect([await ci(rows('a'), { env: inCi }), await ci(rows('a'), { env: inCi })]).toEqual([6, 6])
    },
  ],
  [
    'a failed pull request',
    'passed',
    async ({ ci }) => {
      expect([await ci(rows('a')), await ci(rows('a', 'b'), { env: ofRequest })]).toEqual([0, 5])
      expect(await ci(rows('a', 'b'), { env: ofRequest })).toBe(5)
    },
  ],
])('every medium says the same of %s: %s', async (_, verdict, live) => {
  const life = await openLife()
  await live(life)
  const said = await life.said()
  // A table names what is most urgent, and not what passed.
  const named = Object.values(said).filter((word) => word !== undefined)
  expect(new Set(named)).toEqual(new Set([verdict]))
  expect(named.length).toBeGreaterThanOrEqual(verdict === 'passed' ? 2 : 4)
})
