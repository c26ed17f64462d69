import { expect, test } from 'vitest'
import { ReltError } from '../../../src/errors.ts'
import { readScan } from '../../../src/reports/formats/index.ts'
import { recogniseFormat } from '../../../src/reports/formats/recognise.ts'
import { computeScore } from '../../../src/reports/formats/score.ts'
import { fixture, fixtureNames } from './fixture.ts'

const recognise = (text: string) => recogniseFormat(Buffer.from(text))

async function refusalOf(report: string, format: Parameters<typeof readScan>[1] = 'auto'): Promise<unknown> {
  const error = await readScan(Buffer.from(report), format).catch((error: unknown) => error)
  expect(error).toBeInstanceOf(ReltError)
  return (error as ReltError).params
}

test.each(fixtureNames)('%s is recognised, in any order of its members', (name) => {
  const scanner = name.replace(/^(trivy|popeye)-.*/, '$1')
  const members = Object.entries(JSON.parse(fixture(name)))
  expect(recognise(fixture(name))).toBe(scanner)
  expect(recognise(JSON.stringify(Object.fromEntries(members.toReversed())))).toBe(scanner)
  expect(recognise(JSON.stringify(Object.fromEntries(members.toSorted())))).toBe(scanner)
})

test('a report of the older shape is that of kubebuddy, with or without metadata', () => {
  expect(recognise('{"checks":{}}')).toBe('kubebuddy')
  expect(recognise('{"metadata":{},"metrics":{}}')).toBe('kubebuddy')
})

test.each(['{}', '[]', '[1]', '[{"a":1}]', 'null', '5', '"checks"', '{"a":{"checks":{}}}', '{"results":[]}'])(
  '%s is of no known shape, and the known ones are named',
  async (report) => {
    expect(await refusalOf(report)).toEqual({
      report:
        'is of no known shape; known are the JSON reports of kubebuddy, trivy, kubescape, popeye, polaris, kube-bench, sarif',
    })
  },
)

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
  ['trivy', '[]', 'must be a JSON object'],
] as const)('what is named a report of %s but is %s is refused', async (format, report, why) => {
  expect(await refusalOf(report, format)).toEqual({ report: why })
})

test('a computed score falls with each finding and never reaches zero', () => {
  const none = { total: 0, critical: 0, high: 0, medium: 0, low: 0, info: 0 }
  expect(computeScore(none)).toBe(100)
  expect(computeScore({ ...none, info: 500 })).toBe(100)
  expect(computeScore({ ...none, low: 2 })).toBe(99.01)
  expect(computeScore({ ...none, critical: 10 })).toBe(50)
  expect(computeScore({ ...none, high: 20 })).toBe(50)
  expect(computeScore({ ...none, medium: 50 })).toBe(50)
  expect(computeScore({ ...none, critical: 10_000 })).toBe(0.1)
})
