import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReportFormat } from '../../../src/contract/scan-finding.ts'
import { fixture, fixtureNames, readOrRefuse, toFindings, toReport } from './fixture.ts'

const fixtures = fc.constantFrom(...fixtureNames).map(fixture)

/** Each place in a document at which a value stands. */
function placesIn(node: unknown): { parent: Record<string, unknown>; key: string }[] {
  if (typeof node !== 'object' || node === null) return []
  const parent = node as Record<string, unknown>
  return Object.keys(parent).flatMap((key) => [{ parent, key }, ...placesIn(parent[key])])
}

const strange = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(null, true, -1, 1e308, '', ' ', '\u0000', '\ud800', '../..', '[POP-1]', 'x'.repeat(100_000), []),
)

describe('a report from another scanner', () => {
  test('with other values in some places is read or refused, and what is read is sound', async () => {
    const property = fc.asyncProperty(
      fixtures,
      fc.array(fc.tuple(fc.nat(), strange), { minLength: 1, maxLength: 4 }),
      async (report, changes) => {
        const document = JSON.parse(report)
        for (const [at, value] of changes) {
          const places = placesIn(document)
          const place = places[at % places.length]
          if (place) place.parent[place.key] = value
        }
        const scan = await readOrRefuse(JSON.stringify(document))
        if (!scan) return
        const { total, ...counts } = scan.findings
        expect(total).toBe(Object.values(counts).reduce((sum, count) => sum + count, 0))
        expect(scan.score!.value).toBeGreaterThanOrEqual(0)
        expect(scan.score!.value).toBeLessThanOrEqual(100)
        expect(scan.failedChecks).toBeLessThanOrEqual(scan.totalChecks)
        expect((await toFindings(scan)).length).toBeLessThanOrEqual(total)
      },
    )
    await fc.assert(property, { numRuns: 600 })
  })

  test('with other bytes, or cut short, is read or refused', async () => {
    const property = fc.asyncProperty(
      fixtures,
      fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 5 }),
      fc.nat(),
      async (report, changes, length) => {
        const bytes = Buffer.from(report)
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte
        await readOrRefuse(length % 2 ? bytes : bytes.subarray(0, length % bytes.length))
      },
    )
    await fc.assert(property, { numRuns: 600 })
  })

  test('read as that of any scanner is read or refused', async () => {
    for (const name of fixtureNames)
      for (const format of ReportFormat.options) await readOrRefuse(fixture(name), format)
  })

  test.each([
    ['Resources', '{"ClusterName":"x","Resources":VALUE}'],
    ['results', '{"summaryDetails":{},"results":VALUE}'],
    ['sections', '{"popeye":{"sections":VALUE}}'],
    ['Results', '{"PolarisOutputVersion":"1.0","Results":VALUE}'],
    ['Controls', '{"Controls":VALUE}'],
    ['runs', '{"version":"2.1.0","runs":VALUE}'],
  ])('with hostile %s is refused', async (_, template) => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
    for (const value of [deep, '[{"__proto__":{"a":1}}]', '[{"constructor":1}]', '{"a":1}', '"text"', '[{}', '[{},]'])
      expect(await readOrRefuse(template.replace('VALUE', value))).toBeUndefined()
  })

  test('with a key that reaches prototypes beside what is read is refused', async () => {
    expect(await readOrRefuse('{"ClusterName":"x","Resources":[],"a":{"__proto__":{}}}')).toBeUndefined()
    expect(await readOrRefuse('{"runs":[{"results":[],"a":{"prototype":{}}}]}')).toBeUndefined()
  })

  test('with names of inherited members is no trouble', async () => {
    const scan = await readOrRefuse(
      '{"runs":[{"results":[{"ruleId":"toString","level":"valueOf","message":{"id":"hasOwnProperty"}}]}]}',
    )
    expect(await toFindings(scan!)).toEqual(['unknown toString - - | toString | -'])
  })

  test('has its texts cut', async () => {
    const long = 'x'.repeat(1_000_000)
    const scan = await readOrRefuse(
      JSON.stringify({
        ClusterName: long,
        Resources: [
          {
            Namespace: long,
            Kind: long,
            Name: long,
            Results: [{ Target: long, Secrets: [{ RuleID: long, Title: long, Severity: long }] }],
          },
        ],
      }),
    )
    const [finding] = await toFindings(scan!)
    expect(finding!.length).toBeLessThan(10_000)
    expect(JSON.stringify({ ...scan, index: undefined }).length).toBeLessThan(2000)
  })

  test('asks in vain for a message that does not fit into memory', async () => {
    const message = { text: '{0}'.repeat(100_000), arguments: ['x'.repeat(1_000_000)] }
    const scan = await readOrRefuse(JSON.stringify({ runs: [{ results: [{ ruleId: 'A', message }] }] }))
    expect(scan!.findings.total).toBe(1)
  })

  test('may have 65,536 checks, and no more', async () => {
    expect((await readOrRefuse(toReport(65_536, 65_536)))!.findings.total).toBe(65_536)
    expect(await readOrRefuse(toReport(65_537, 65_537))).toBeUndefined()
  })
})
