import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { reportFormats } from '../../../src/contract/choices.ts'
import { ReltError } from '../../../src/errors.ts'
import { readScan } from '../../../src/reports/formats/index.ts'
import { type NamedFormat, recognise } from '../../../src/reports/formats/recognise.ts'
import { computeScore } from '../../../src/reports/formats/score.ts'
import { noFindings } from '../../../src/reports/no-findings.ts'
import { fixture, fixtureNames } from './fixture.ts'

const toFormat = (text: string) => recognise(Buffer.from(text)).format

async function refusalFor(report: string, format: Parameters<typeof readScan>[1] = null): Promise<unknown> {
  const error = await readScan(Buffer.from(report), format).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ReltError)
  return (error as ReltError).params
}

test.each(fixtureNames)('%s is recognised, in any order of its members', (name) => {
  const scanner = name.replace(/^(trivy|popeye|kubescape)-.*/, '$1')
  const members = Object.entries(JSON.parse(fixture(name)))
  expect(toFormat(fixture(name))).toBe(scanner)
  expect(toFormat(JSON.stringify(Object.fromEntries(members.toReversed())))).toBe(scanner)
  expect(toFormat(JSON.stringify(Object.fromEntries(members.toSorted())))).toBe(scanner)
})

/** The compiler demands a report of each format. */
const smallest: Record<NamedFormat, string> = {
  kubebuddy: '{"checks":{"a":{"Total":0,"Items":[]}}}',
  trivy: '{"ArtifactName":"nginx"}',
  kubescape: '{"summaryDetails":{"controls":{}}}',
  popeye: '{"popeye":{"sections":[]}}',
  polaris: '{"PolarisOutputVersion":"1.0"}',
  'kube-bench': '{"Controls":[{"tests":[{"results":[{"test_number":"1.1"}]}]}]}',
  sarif: '{"runs":[{"results":[]}]}',
  'policy-report': '{"apiVersion":"wgpolicyk8s.io/v1alpha2","kind":"PolicyReport"}',
  inventory: '{"inventory":{"taken_at":"2026-11-28 10:00:00"}}',
}

test.each(Object.entries(smallest))('recognises %s by %s, and docs/formats.md describes it', (format, report) => {
  expect(toFormat(report)).toBe(format)
  expect(readFileSync('docs/formats.md', 'utf8')).toContain(`\n| \`${format}\` | `)
})

test.each([
  ['checks by id', '{"checks":{"SEC001":{"ID":"SEC001","Name":"A","Total":0}}}'],
  ['checks of the first generation, some without a value', '{"checks":{"a":null,"b":{"Total":1,"Items":{}}}}'],
  ['a check that could not run', '{"checks":{"a":{"ID":"A","Name":"a","Error":"forbidden"}}}'],
  ['checks as a list', '{"checks":[{"ID":"SEC001","Name":"A","Severity":"high"}],"aksAutomaticReadiness":null}'],
  ['metadata with a cluster', '{"metadata":{"clusterName":"shop"}}'],
  ['metadata with a score, and null checks', '{"checks":null,"metadata":{"score":80}}'],
])('recognises kubebuddy by %s', (_, report) => {
  expect(toFormat(report)).toBe('kubebuddy')
})

test.each([
  ['trivy', '{"ClusterName":"shop"}'],
  ['trivy', '{"ClusterName":"shop","Resources":[]}'],
  ['sarif', '{"version":"2.1.0","runs":[]}'],
  ['kube-bench', '{"Controls":[],"Totals":{"total_pass":0}}'],
  ['trivy', '{"kind":"List","apiVersion":"v1","items":[{"kind":"Pod"},{"kind":"ClusterConfigAuditReport"}]}'],
  ['trivy', '{"apiVersion":"aquasecurity.github.io/v1alpha1","kind":"ExposedSecretReport","report":{}}'],
])('recognises a report of %s that lists next to nothing: %s', (format, report) => {
  expect(toFormat(report)).toBe(format)
})

test.each([
  '{}',
  '[]',
  '[1]',
  '[{"a":1}]',
  'null',
  '5',
  '"checks"',
  '{"a":{"checks":{}}}',
  '{"results":[]}',
  '{"checks":{}}',
  '{"checks":{"db":{"status":"up"}}}',
  '{"checks":[{"address":{},"status":"pass"}]}',
  '{"checks":105,"metadata":{}}',
  '{"metadata":{},"metrics":{}}',
  '{"metadata":{"name":"web","namespace":"shop"}}',
  '{"Resources":{"Bucket":{"Type":"AWS::S3::Bucket"}}}',
  '{"Findings":[{"Id":"1","ProductArn":"x"}]}',
  '{"ClusterName":"shop","NodeGroups":[]}',
  '{"tests":[{"results":[{"id":"1.1","result":"WARN"}]}]}',
  '{"runs":[{"run_id":1}]}',
  '{"items":[{"kind":"Pod"}]}',
  '{"popeye":5}',
])('%s is of no known shape, and the known ones are named', async (report) => {
  expect(await refusalFor(report)).toEqual({
    report: `is of no known shape; known are the JSON reports of ${reportFormats.join(', ')}`,
  })
})

test('names what it refuses, and what to upload instead', async () => {
  expect(await refusalFor('{"bomFormat":"CycloneDX","metadata":{"score":1}}')).toEqual({
    report: 'is a CycloneDX SBOM, not a scan report. Upload the output of `trivy sbom --format json FILE`',
  })
  expect(await refusalFor('{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"clusterName":"shop"}}')).toEqual({
    report: `is a Kubernetes Deployment, not a scan report. Upload a JSON report of ${reportFormats.join(', ')}`,
  })
})

test('a report is read no further than it must be', () => {
  expect(toFormat('{"checks":{"a":{"ID":"A","Total":5,"Items":[broken')).toBe('kubebuddy')
  expect(toFormat('{"ClusterName":"shop","Resources":[{"Kind":"Pod","Name":"a","Results":[broken')).toBe('trivy')
  expect(toFormat('{"runs":[{"tool":broken')).toBe('sarif')
})

test.each([
  [
    'trivy',
    '{"items":[{"kind":"Pod"}]}',
    'is not a report of trivy: it has no ClusterName, ArtifactName or items of its operator',
  ],
  [
    'kubescape',
    '{"summaryDetails":{}}',
    'is not a report of kubescape: it has no summaryDetails.controls and no results',
  ],
  ['popeye', '{"popeye":5}', 'is not a report of popeye: it has no popeye'],
  ['polaris', '{"PolarisOutputVersion":"0.2"}', 'is not a report of polaris: it has no Results'],
  ['kube-bench', '{"Controls":{}}', 'is not a report of kube-bench: it has no Controls'],
  ['sarif', '{"runs":{}}', 'is not a report of sarif: it has no runs'],
  ['sarif', '{"checks":{}}', 'is not a report of sarif: it has no runs'],
  ['trivy', '[]', 'is not a report of trivy: it has no ClusterName, ArtifactName or items of its operator'],
  ['sarif', '[]', 'must be a JSON object'],
] as const)('what is named a report of %s but is %s is refused', async (format, report, why) => {
  expect(await refusalFor(report, format)).toEqual({ report: why })
})

test('a computed score falls with each finding and never reaches zero', () => {
  const none = noFindings()
  expect(computeScore(none)).toBe(100)
  expect(computeScore({ ...none, info: 500 })).toBe(100)
  expect(computeScore({ ...none, low: 2 })).toBe(99.01)
  expect(computeScore({ ...none, critical: 10 })).toBe(50)
  expect(computeScore({ ...none, high: 20 })).toBe(50)
  expect(computeScore({ ...none, medium: 50 })).toBe(50)
  expect(computeScore({ ...none, critical: 10_000 })).toBe(0.1)
})
