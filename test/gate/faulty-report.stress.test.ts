import { expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { completePolicy } from '../../src/gate/complete-policy.ts'
import { listFindings } from '../../src/reports/list-findings.ts'
import { evaluateGate } from '../helpers/judge-gate.ts'
import { now, openService, type TestService } from '../operations/service.ts'
import { faultsOfFixture, fixturesWithFaults } from '../reports/formats/faults-of-fixtures.ts'
import { changesOf } from './evidence.ts'

/** The first KubeBuddy stated no severity, so that all its checks are info and cannot break a rule of low ones. */
const rulesFor = (name: string) =>
  ['new', 'regressed', 'findings'].map((kind) => `${kind}>=${name === 'kubebuddy-first' ? 'info' : 'low'}`)
const faultsPerFixture = 12

test.each(fixturesWithFaults)(
  'a faulty report of %s passes the gate neither the first nor the second time',
  async (name) => {
    const faults = [...faultsOfFixture(name)]
    const service = await openService()
    const step = Math.floor(faults.length / faultsPerFixture)
    for (let at = step >> 1; at < faults.length; at += step) {
      const { report, path, what } = faults[at]!
      expect(
        await verdictsFor(service, `shop-${at}`, { report, rules: rulesFor(name) }),
        `${path} ${what}`,
      ).not.toContain('passed')
    }
  },
)

/** The verdicts on two runs of a new cluster with this report; none where it is refused. */
async function verdictsFor(
  { call, upload }: TestService,
  cluster: string,
  { report, rules }: { report: string; rules: string[] },
): Promise<string[]> {
  const policy = completePolicy(undefined, { failOn: rules })
  const verdicts: string[] = []
  for (const day of [1, 2]) {
    const envelope = { cluster: { name: cluster }, run: { finished_at: `2026-08-0${day} 00:00:00` } }
    try {
      const { run_id } = await upload([], { report, body: envelope })
      const run = await call('getReport', { params: { run_id } })
      const comparison = await call('compareReports', { query: { to_run_id: run_id, baseline: run_id } })
      const changes = changesOf(rules, comparison)
      const findings = await listFindings(Buffer.from(report))
      verdicts.push(evaluateGate(policy, { run, comparison, changes, findings }, now).verdict)
    } catch (error) {
      if (!(error instanceof ReltError)) throw error
    }
  }
  return verdicts
}
