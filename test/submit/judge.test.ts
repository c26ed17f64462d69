import { expect, test } from 'vitest'
import type { Client } from '../../src/client/client.ts'
import { ReltError } from '../../src/errors.ts'
import { judge } from '../../src/submit/judge.ts'
import { freshnessFor, itemWith, policyFor, runWith } from '../gate/evidence.ts'
import { testNow } from '../helpers/cli.ts'

const found = (id: string) => ({ VulnerabilityID: id, PkgName: 'p', InstalledVersion: '1', Severity: 'HIGH' })
const toReport = (...ids: string[]) => ({
  ClusterName: 'any',
  Resources: [
    { Namespace: 'a', Kind: 'Deployment', Name: 'web', Results: [{ Target: 'app', Vulnerabilities: ids.map(found) }] },
  ],
})

const log4j = 'CVE-2021-44228'
const listed = { since: '2026-08-30', due: null, ransomware: false }

/** A server with one run of a Trivy report; `checks` is what it says of its findings. */
function verdictFor(report: object, checks: object[] | ReltError) {
  const answers: Record<string, unknown> = {
    getReport: { ...runWith({ format: 'trivy' }), report },
    compareReports: new ReltError('not_found', 'No earlier report.'),
    listExceptions: { items: [], page: 1, total_pages: 1 },
    reportFreshness: freshnessFor([itemWith()]),
    listRunFindings: checks instanceof Error ? checks : { checks },
  }
  const call = async (name: string) => {
    const answer = answers[name]
    if (answer instanceof Error) throw answer
    return answer
  }
  const client = { call } as unknown as Client
  const context = { client, now: () => testNow, onProgress: () => {} }
  return judge(context, policyFor(['exploited']), { run_id: 'crun_a' }).then(({ result }) => result.verdict)
}

test('the gate knows exploited findings by the bundled list and by that of the server', async () => {
  const silent = new ReltError('not_found', 'No such route.')
  expect(await verdictFor(toReport(log4j), silent)).toBe('failed')
  expect(await verdictFor(toReport('CVE-2020-0001'), silent)).toBe('passed')
  expect(await verdictFor(toReport('CVE-2020-0001'), [{ check_id: 'CVE-2020-0001' }])).toBe('passed')
  expect(await verdictFor(toReport('CVE-2020-0001'), [{ check_id: 'CVE-2020-0001', exploited: listed }])).toBe('failed')
})

test('a report that waits for its server is judged by the bundled list', async () => {
  const unsent = runWith({ format: 'trivy' })
  const verdict = async (...ids: string[]) => {
    const report = Buffer.from(JSON.stringify(toReport(...ids)))
    const context = { client: {} as Client, now: () => testNow, onProgress: () => {} }
    return (await judge(context, policyFor(['exploited']), { unsent, report })).result.verdict
  }
  expect(await verdict(log4j)).toBe('failed')
  expect(await verdict('CVE-2020-0001')).toBe('passed')
})
