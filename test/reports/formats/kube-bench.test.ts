import { expect, test } from 'vitest'
import { compare, fixture, read, toFindings } from './fixture.ts'

const report = fixture('kube-bench')
/** Another day: processes have other numbers and times. */
const later = report.replaceAll('root 2211 1998 4 09:14 ? 00:01:12', 'root 311 299 0 11:20 ? 00:00:03')

test('FAIL is high, WARN is left to a person and low; INFO did not run', async () => {
  const scan = await read(report)
  expect(scan).toMatchObject({
    format: 'kube-bench',
    clusterName: undefined,
    totalChecks: 7,
    failedChecks: 4,
    checksNotRun: [{ id: '1.2.9', name: 'Ensure that EventRateLimit is set (Manual)', reason: 'Test marked as skip' }],
    findings: { total: 4, critical: 0, high: 3, medium: 0, low: 1, info: 0 },
    score: { value: 86.58, source: 'computed' },
  })
  expect(await toFindings(scan)).toEqual([
    'high 1.2.15 - - | Ensure that the --profiling argument is set to false (Automated) | root 2211 1998 4 09:14 ? 00:01:12 kube-apiserver --profiling=true',
    'high 1.2.5 - - | Ensure that the kubelet certificate authority is set (Automated) | root 2211 1998 4 09:14 ? 00:01:12 kube-apiserver --profiling=true',
    'high 4.1.1 - - | Ensure that the kubelet service file has permissions 600 or stricter (Automated) | permissions=644',
    'low 1.2.1 - - | Ensure that the --anonymous-auth argument is set to false (Manual) | Test marked as a manual test',
  ])
})

test('categories are the groups', async () => {
  const { index } = await read(report)
  expect(new Set(index.checks.map((check) => check.category))).toEqual(
    new Set(['API Server', 'Worker Node Configuration Files']),
  )
})

test('a later run of the same cluster is no change', async () => {
  expect(later).not.toBe(report)
  expect(await compare(report, later)).toMatchObject({ new: [], resolved: [], regressed: [], unchangedCount: 4 })
})

test('what passes now is resolved', async () => {
  const passing = report.replace(
    '"FAIL", "actual_value": "permissions=644"',
    '"PASS", "actual_value": "permissions=600"',
  )
  expect((await compare(report, passing)).resolved).toEqual([])
  const mended = JSON.parse(passing)
  Object.assign(mended.Controls[1].tests[0], { fail: 0, pass: 2 })
  Object.assign(mended.Controls[1], { total_fail: 0, total_pass: 2 })
  Object.assign(mended.Totals, { total_fail: 2, total_pass: 3 })
  expect((await compare(report, JSON.stringify(mended))).resolved).toMatchObject([
    { check_id: '4.1.1', severity: 'high' },
  ])
})

test('older builds write the bare list of controls, or a single one', async () => {
  const { Controls } = JSON.parse(report)
  expect(await toFindings(await read(JSON.stringify(Controls)))).toHaveLength(4)
  expect(await toFindings(await read(JSON.stringify(Controls[1])))).toHaveLength(1)
})
