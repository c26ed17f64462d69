import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { listFindings } from '../../src/reports/list-findings.ts'
import { countFindings, readReport } from '../../src/reports/read.ts'
import { nativeReportFile } from '../helpers/report.ts'
import { bytesOf, checksOf, findingsIn, indexOf, scan } from './scan.ts'

test('the findings are those that comparing knows', async () => {
  const bytes = readFileSync(nativeReportFile)
  const compared = await findingsIn(await indexOf(checksOf(bytes.toString())))
  const listed = listFindings(bytes).filter(({ fingerprint }) =>
    compared.some((each) => each.fingerprint === fingerprint),
  )
  const byFingerprint = (a: { fingerprint: string }, b: { fingerprint: string }) =>
    a.fingerprint.localeCompare(b.fingerprint)
  expect(listed.map(({ count: _, ...finding }) => finding).sort(byFingerprint)).toEqual(compared.sort(byFingerprint))
})

test('the counts add up to the counts of the scanner', () => {
  const bytes = readFileSync(nativeReportFile)
  const { total, critical } = countFindings(readReport(bytes).checks)
  const listed = listFindings(bytes)
  const sum = (findings: typeof listed) => findings.reduce((all, { count }) => all + count, 0)
  expect(sum(listed)).toBe(total)
  expect(sum(listed.filter(({ severity }) => severity === 'critical'))).toBe(critical)
})

test('replicas are one finding, and what the scanner only counts is one about the check', () => {
  const report = scan([
    { resource: 'pod/web-65cc8855c-ghk9m', message: 'runs as root' },
    { resource: 'pod/web-65cc8855c-rzcxj', message: 'runs as root' },
  ])
  report.checks.SEC001!.Total = 5
  expect(listFindings(bytesOf(report)).map(({ resource, message, count }) => [resource, message, count])).toEqual([
    ['pod/web-65cc8855c-ghk9m', 'runs as root', 2],
    [null, 'Name of SEC001', 3],
  ])
})
