import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listFindings } from '../../src/reports/list-findings.ts'
import { countFindings, readReport } from '../../src/reports/read.ts'
import { nativeReportFile } from '../helpers/report.ts'
import { findingsIn, indexOf, scan, toBytes, toChecks } from './scan.ts'

test('the findings are those that comparing knows', async () => {
  const bytes = readFileSync(nativeReportFile)
  const compared = await findingsIn(await indexOf(toChecks(bytes.toString())))
  const listed = (await listFindings(bytes, 'kubebuddy')).filter(({ fingerprint }) =>
    compared.some((each) => each.fingerprint === fingerprint),
  )
  const byFingerprint = (a: { fingerprint: string }, b: { fingerprint: string }) =>
    a.fingerprint.localeCompare(b.fingerprint)
  const withoutGuidance = listed.map(({ recommendation: _text, url: _link, ...finding }) => finding)
  expect(withoutGuidance.sort(byFingerprint)).toEqual(compared.sort(byFingerprint))
})

test('the counts add up to the counts of the scanner', async () => {
  const bytes = readFileSync(nativeReportFile)
  const { total, critical } = countFindings(readReport(bytes).checks)
  const listed = await listFindings(bytes, 'kubebuddy')
  const sum = (findings: typeof listed) => findings.reduce((all, { count }) => all + count!, 0)
  expect(sum(listed)).toBe(total)
  expect(sum(listed.filter(({ severity }) => severity === 'critical'))).toBe(critical)
})

test('replicas are one finding, and what the scanner only counts is one about the check', async () => {
  const report = scan([
    { resource: 'pod/web-65cc8855c-ghk9m', message: 'runs as root' },
    { resource: 'pod/web-65cc8855c-rzcxj', message: 'runs as root' },
  ])
  report.checks.SEC001!.Total = 5
  const listed = await listFindings(toBytes(report), 'kubebuddy')
  expect(listed.map(({ resource, message, count }) => [resource, message, count])).toEqual([
    ['pod/web-65cc8855c-ghk9m', 'runs as root', 2],
    [null, 'Name of SEC001', 3],
  ])
})

test('from another scanner each result counts', async () => {
  const sarif = {
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'lint' } },
        results: ['a', 'b', 'b'].map((text) => ({ ruleId: 'R1', level: 'error', message: { text } })),
      },
    ],
  }
  const listed = await listFindings(Buffer.from(JSON.stringify(sarif)), 'sarif')
  expect(listed.map(({ check_id, severity, message, count }) => [check_id, severity, message, count]).sort()).toEqual([
    ['R1', 'high', 'a', 1],
    ['R1', 'high', 'b', 2],
  ])
})
