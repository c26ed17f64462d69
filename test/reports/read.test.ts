import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReltError } from '../../src/errors.ts'
import { countFindings, readReport } from '../../src/reports/read.ts'
import { exampleFile, nativeReportFile } from '../helpers/report.ts'
import { type CheckWithItems, findingsIn, indexOf, toBytes, toChecks } from './scan.ts'

const read = (report: unknown) => readReport(toBytes(report))
const readCheck = (check: object): CheckWithItems | undefined => toChecks({ checks: { SEC001: check } })[0]
const withMetadata = (metadata: object | string) =>
  read(`{"metadata": ${typeof metadata === 'string' ? metadata : JSON.stringify(metadata)}}`)

/** The parameter that a report is refused for, or that it is no JSON. */
function refusal(report: unknown): string | undefined {
  try {
    read(report)
    return undefined
  } catch (error) {
    if (!(error instanceof ReltError)) throw error
    if (error.code === 'invalid_json') return error.message
    expect(error.code).toBe('invalid_param')
    return Object.keys(error.params ?? {}).join()
  }
}

describe('readReport', () => {
  test.each([
    ['critical', 'critical'],
    ['Critical', 'critical'],
    ['CRITICAL', 'critical'],
    [' critical ', 'critical'],
    ['High', 'high'],
    ['Error', 'high'],
    ['Medium', 'medium'],
    ['warning', 'medium'],
    ['Warning', 'medium'],
    ['Low', 'low'],
    ['info', 'info'],
    ['Info', 'info'],
    ['Blocker', 'unknown'],
    ['P1', 'unknown'],
    ['CRIT', 'unknown'],
    ['сritical', 'unknown'],
    ['9,8', 'unknown'],
    ['', 'unknown'],
    ['constructor', 'unknown'],
    ['of no vocabulary', 'unknown'],
    [undefined, 'unknown'],
    [null, 'unknown'],
    [4, 'unknown'],
  ])('reads severity %j as %s', (Severity, severity) => {
    expect(readCheck({ Severity })).toMatchObject({ severity })
  })

  const rows = [{ Message: 'a' }, { Message: 'b' }]
  test.each<[string, object, { failed: boolean; total: number; items: unknown[] }]>([
    ['✅ PASS', { Status: '✅ PASS', Total: 0, Items: null }, { failed: false, total: 0, items: [] }],
    [
      '✅ PASS with rows of context',
      { Status: '✅ PASS', Total: 0, Items: rows },
      { failed: false, total: 0, items: [] },
    ],
    ['PASS against its total', { Status: 'pass', Total: 2, Items: rows }, { failed: true, total: 2, items: rows }],
    ['❌ FAIL', { Status: '❌ FAIL', Total: 2, Items: rows }, { failed: true, total: 2, items: rows }],
    ['❌ FAIL without a number', { Status: '❌ FAIL', Items: null }, { failed: true, total: 1, items: [] }],
    ['FAIL against its total', { Status: 'Fail', Total: 0, Items: rows }, { failed: true, total: 2, items: rows }],
    ['no status and a total', { Total: 2, Items: rows }, { failed: true, total: 2, items: rows }],
    ['no status, no total and rows', { Items: rows }, { failed: true, total: 2, items: rows }],
    ['no status, total null and rows', { Total: null, Items: rows }, { failed: true, total: 2, items: rows }],
    ['no status, total 0 and rows of context', { Total: 0, Items: rows }, { failed: false, total: 0, items: [] }],
    ['another word and a total', { Status: 'Warning', Total: 2, Items: rows }, { failed: true, total: 2, items: rows }],
    ['more findings than rows', { Total: 500, Items: rows }, { failed: true, total: 500, items: rows }],
    ['nothing at all', {}, { failed: false, total: 0, items: [] }],
  ])('tells whether a check has failed: %s', (_, check, expected) => {
    expect(readCheck(check)).toMatchObject(expected)
  })

  test.each<[string, unknown, unknown[]]>([
    ['a list', [{ Message: 'a' }], [{ Message: 'a' }]],
    ['a list with holes', [null, { Message: 'a' }, null], [{ Message: 'a' }]],
    ['one object', { Message: 'a' }, [{ Message: 'a' }]],
    ['one text', 'a', ['a']],
    ['null', null, []],
    ['nothing', undefined, []],
  ])('takes Items as %s', (_, Items, items) => {
    expect(readCheck({ Status: '❌ FAIL', Items })).toMatchObject({ items })
  })

  const manyRows = Array.from({ length: 2000 }, (_, i) => ({ Message: `row ${i} ${'.'.repeat(50)}` }))

  test.each<[string, object, object]>([
    ['rows before all other members', { Items: manyRows, Severity: 'High' }, { severity: 'high', items: manyRows }],
    ['rows that are not counted', { Items: manyRows }, { failed: true, total: 2000 }],
    ['a smaller count', { Items: manyRows, Total: 7 }, { failed: true, total: 2000, items: manyRows }],
    ['a count of zero', { Items: manyRows, Total: 0 }, { failed: false, total: 0, items: [] }],
    ['a check that passed', { Items: manyRows, Status: 'PASS' }, { failed: true, total: 2000, items: manyRows }],
    ['an error', { Items: manyRows, Error: 'no data' }, { notRun: 'no data', failed: true, items: manyRows }],
    [
      'healthy rows among them',
      { Items: [...manyRows, { Node: 'a', Status: 'OK' }], Total: 2000 },
      { total: 2000, items: manyRows },
    ],
    [
      'healthy rows only',
      { Items: manyRows.map(() => ({ Node: 'a', Status: 'OK' })), Total: 0 },
      { failed: false, items: [] },
    ],
    [
      'a long first row',
      { Items: [{ Status: 'Skipped', Message: 'm'.repeat(100_000) }, { Status: 'Skipped' }], Total: 0, Status: 'FAIL' },
      { notRun: undefined, failed: true },
    ],
  ])('reads a check with more rows than are parsed at once: %s', (_, check, expected) => {
    expect(readCheck(check)).toMatchObject(expected)
  })

  test('refuses a check that has a member twice', () => {
    expect(refusal('{"checks": {"SEC001": {"Total": 5, "Total": 0}}}')).toBe('The report has the key "Total" twice.')
    const nested = '{"checks": {"SEC001": {"Total": 1, "Items": [{"Message": "a", "Message": "b"}]}}}'
    expect(refusal(nested)).toBe('The report has a key twice (after byte 45).')
  })

  test('does not count what the scanner has suppressed', () => {
    const check = { Total: 1, Items: [{ Message: 'a' }], SuppressedTotal: 7, SuppressedFindings: [{ Message: 'b' }] }
    expect(readCheck(check)).toMatchObject({ total: 1, items: [{ Message: 'a' }] })
    expect(readCheck({ ...check, Total: 0, Items: [] })).toMatchObject({ failed: false, total: 0 })
  })

  test('takes null for a check that may not have run, and the key where a check has no id', () => {
    const { checks, scope } = read({
      checks: { SEC001: null, 'Pods as root': { Total: 1 }, POD: { ID: 'POD001' } },
    })
    expect(checks.map(({ id, name }) => [id, name])).toEqual([
      ['SEC001', 'SEC001'],
      ['Pods as root', 'Pods as root'],
      ['POD001', 'POD'],
    ])
    expect(scope.checkIds).toEqual(['SEC001', 'Pods as root', 'POD001'])
    expect(checks.map(({ notRun }) => notRun !== undefined)).toEqual([true, false, true])
  })

  test('takes recommendations of both forms and other fields it does not know', () => {
    for (const Recommendation of ['do it', { text: 'do it', html: '<b>', SpeechBubble: [] }, null]) {
      expect(readCheck({ Total: 1, Recommendation, Weight: '3', AutomaticScope: {} })).toMatchObject({ total: 1 })
    }
  })

  test.each<[object, string[]]>([
    [{ excludedNamespaces: ['kube-system', ' coredns ', '', 5, null] }, ['kube-system', 'coredns']],
    [{ excludedNamespaces: ['kube-system'], excludeNamespacesEnabled: true }, ['kube-system']],
    [{ excludedNamespaces: ['kube-system'], excludeNamespacesEnabled: false }, []],
    [{ excludedNamespaces: 'kube-system, coredns' }, ['kube-system', 'coredns']],
    [{ excludedNamespaces: null }, []],
    [{ excludedNamespaces: { a: 1 } }, []],
    [{}, []],
  ])('reads the excluded namespaces of %j', (metadata, expected) => {
    expect(withMetadata(metadata).scope.excludedNamespaces).toEqual(expected)
  })

  test.each<[string, number | undefined]>([
    ['0', 0],
    ['100', 100],
    ['72.5', 72.5],
    ['1e1', 10],
    ['null', undefined],
  ])('takes the score %s', (score, expected) => {
    expect(withMetadata(`{"score": ${score}}`).score).toBe(expected)
  })

  test.each(['"abc"', '"80"', '1e999', '-1e999', '-1', '100.01', '101', 'true', '[80]', '{}'])(
    'refuses the score %s',
    (score) => {
      expect(refusal(`{"metadata": {"score": ${score}}}`)).toBe('report.metadata.score')
    },
  )

  test.each<[unknown, string]>([
    [null, 'report'],
    [[], 'report'],
    ['"text"', 'report'],
    [5, 'report'],
    [{}, 'report'],
    [{ metadata: 'text', checks: null }, 'report'],
    [{ artifacts: { images: [] } }, 'report'],
    [{ metadata: {}, checks: 'text' }, 'report.checks'],
    [{ metadata: {}, checks: 0 }, 'report.checks'],
    [{ checks: { SEC001: 'text' } }, 'report.checks.SEC001'],
    [{ checks: { SEC001: [] } }, 'report.checks.SEC001'],
    [{ checks: { SEC001: false } }, 'report.checks.SEC001'],
    [{ checks: { SEC001: { Total: '3' } } }, 'report.checks.SEC001.Total'],
    [{ checks: { SEC001: { Total: -1 } } }, 'report.checks.SEC001.Total'],
    [{ checks: { SEC001: { Total: 1.5 } } }, 'report.checks.SEC001.Total'],
    [{ checks: { SEC001: { Total: 10_000_001 } } }, 'report.checks.SEC001.Total'],
    ['{"checks": {"SEC001": {"Total": 1e999}}}', 'report.checks.SEC001.Total'],
    [{ checks: Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`C${i}`, {}])) }, 'report.checks'],
  ])('names what is wrong with report %#', (report, param) => {
    expect(refusal(report)).toBe(param)
  })

  test('takes the most checks and the greatest total it allows', () => {
    const checks = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`C${i}`, { Total: 10_000_000 }]))
    expect(countFindings(read({ checks }).checks).total).toBe(1e11)
  })

  test('reads the metadata, and does without', () => {
    const metadata = { clusterName: ' shop ', kubernetesVersion: 'v1.33.6', generatedAt: '2026-04-15T10:21:11Z' }
    expect(withMetadata(metadata)).toMatchObject({
      clusterName: 'shop',
      kubernetesVersion: 'v1.33.6',
      generatedAt: Date.UTC(2026, 3, 15, 10, 21, 11) / 1000,
      checks: [],
    })
    const nothing = { clusterName: undefined, kubernetesVersion: undefined, generatedAt: undefined, score: undefined }
    expect(withMetadata({ clusterName: '', kubernetesVersion: 5, generatedAt: 'yesterday' })).toMatchObject(nothing)
    expect(read({ checks: {} })).toMatchObject(nothing)
  })

  test('hands the checks over in the order of the report, and keeps none of their items', () => {
    const checks = { B: { Total: 1, Items: [{ Message: 'b' }] }, N: null, A: { Total: 0 } }
    expect(toChecks({ checks }).map(({ id, items }) => [id, items])).toEqual([
      ['B', [{ Message: 'b' }]],
      ['N', []],
      ['A', []],
    ])
    expect(read({ checks }).checks[0]).not.toHaveProperty('items')
  })

  test.each([
    ['a byte-order mark', '\ufeff{"checks": {}}', undefined],
    ['checks before metadata', '{"checks": {}, "metadata": {"clusterName": "shop"}}', undefined],
    ['space around everything', ' {\t"checks"\n:\r{ } } ', undefined],
    ['unknown members', '{"metrics": [1, {"a": null}], "checks": {}, "combinedRiskPaths": "x"}', undefined],
    ['nothing', '', 'The report is empty.'],
    ['text after the end', '{"checks": {}} x', 'The report is not valid JSON: unexpected text at byte 15.'],
    ['two metadata', '{"metadata": {}, "metadata": {}}', 'The report has the key "metadata" twice.'],
    ['a check twice', '{"checks": {"A": {}, "A": {}}}', 'The report has the key "A" twice.'],
    ['a hostile check', '{"checks": {"constructor": {}}}', 'The report has a key named "constructor".'],
    [
      'a hostile member that is not read',
      '{"checks": {}, "x": {"__proto__": 1}}',
      'The report has a key named "__proto__".',
    ],
    [
      'an unread member that is no JSON',
      '{"checks": {}, "x": [1,]}',
      expect.stringMatching(/^The report is not valid JSON: /),
    ],
    ['a cut text', '{"checks": {"A": {"Total": 1', 'The report is not valid JSON: it ends too early.'],
  ])('reads a text with %s, or says why not', (_, text, expected) => {
    expect(refusal(text)).toEqual(expected)
  })

  test('reads the report of a real native scan', () => {
    const report = readReport(readFileSync(nativeReportFile))
    expect(report.checks).toHaveLength(141)
    expect(report.checks.filter((check) => check.failed)).toHaveLength(40)
    expect(report).toMatchObject({ score: 80, clusterName: 'aks-181225-test-uks', kubernetesVersion: 'v1.33.6' })
    expect(countFindings(report.checks)).toEqual({
      total: 107,
      critical: 40,
      high: 5,
      medium: 55,
      low: 1,
      info: 6,
      unknown: 0,
    })
  })

  test.each([
    [1, 'v1.33.13', 61, 40, 91],
    [2, 'v1.33.13', 72.5, 35, 81],
    [3, 'v1.34.10', 81, 32, 76],
  ] as const)('reads example %i as its description says', (number, kubernetesVersion, score, failed, findings) => {
    const report = readReport(readFileSync(exampleFile(number)))
    expect(report).toMatchObject({ kubernetesVersion, score, clusterName: 'shop-prod' })
    expect(report.checks).toHaveLength(56)
    expect(report.checks.filter((check) => check.failed)).toHaveLength(failed)
    expect(countFindings(report.checks).total).toBe(findings)
  })

  const foreignCheck = fc.record(
    {
      ID: fc.jsonValue(),
      Name: fc.jsonValue(),
      Category: fc.jsonValue(),
      Severity: fc.oneof(fc.jsonValue(), fc.constantFrom('critical', 'Warning', '__proto__')),
      Status: fc.oneof(fc.jsonValue(), fc.constantFrom('✅ PASS', '❌ FAIL')),
      Total: fc.oneof(fc.jsonValue(), fc.nat(20)),
      Items: fc.oneof(fc.jsonValue(), fc.array(fc.jsonValue())),
      ResourceKind: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  const foreignReport = fc.record(
    {
      metadata: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue())),
      checks: fc.oneof(fc.jsonValue(), fc.dictionary(fc.string(), fc.oneof(fc.jsonValue(), foreignCheck))),
      artifacts: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )

  test.each([
    ['JSON', fc.jsonValue()],
    ['things that look like a report', foreignReport],
  ])('reads any %s or says which parameter is wrong', async (_, reports) => {
    await fc.assert(
      fc.asyncProperty(
        (reports as fc.Arbitrary<unknown>).map((value) => JSON.stringify(value)),
        async (value) => {
          if (refusal(value) !== undefined) return
          const checks = toChecks(value)
          const findings = await findingsIn(await indexOf(checks))
          expect(findings.length > 0).toBe(countFindings(checks).total > 0)
        },
      ),
      { numRuns: 1000 },
    )
  })
})
