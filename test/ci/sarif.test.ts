import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderSarif } from '../../src/ci/sarif.ts'
import { freshnessFor, itemWith, notRun, runWith } from '../gate/evidence.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { ciFinding, foreignFinding } from './findings.ts'
import { hostile } from './results.ts'

/** The schema of the standard is in draft 4; what it uses means the same in draft 7, once it is not named. */
const file = createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json')
const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, 'utf8'))
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
addFormats.default(ajv)
const validate = ajv.compile(schema)

function parse(sarif: string) {
  const log = JSON.parse(sarif)
  validate(log)
  expect(validate.errors).toBeNull()
  return log.runs[0]
}

test('the schema refuses what is no SARIF', () => {
  expect(validate({ version: '2.1.0', runs: [{ tool: {} }] })).toBe(false)
})

test('every finding is a result that keeps its fingerprint, its place, and how it stands', () => {
  const findings = [
    ciFinding({ check_id: 'SEC003', severity: 'critical', baseline: 'new' }),
    ciFinding({ check_id: 'NS002', severity: 'info', namespace: null, resource: null, baseline: 'unchanged' }),
    ciFinding({
      check_id: 'SEC003',
      resource: 'pod/a',
      message: '0/{n} [x] \\',
      suppression: { kind: 'external', reason: 'accepted' },
    }),
  ]
  const { tool, results, automationDetails } = parse(renderSarif({ run: runWith(), result: {} }, findings, '1.2.3'))
  expect(tool.driver).toMatchObject({ name: 'relt', version: '1.2.3', rules: [{ id: 'SEC003' }, { id: 'NS002' }] })
  expect(automationDetails).toEqual({ id: 'relt/shop/prod/' })
  expect(results).toMatchObject([
    {
      ruleIndex: 0,
      level: 'error',
      baselineState: 'new',
      partialFingerprints: { 'relt/v1': findings[0]!.fingerprint },
    },
    {
      ruleIndex: 1,
      level: 'note',
      baselineState: 'unchanged',
      locations: [{ physicalLocation: { artifactLocation: { uri: 'cluster/NS002' } } }],
    },
    {
      message: { text: 'shop pod/a: 0/{{n}} \\[x\\] \\\\' },
      suppressions: [{ kind: 'external', justification: 'accepted' }],
      locations: [{ physicalLocation: { artifactLocation: { uri: 'shop/pod/a' } } }],
    },
  ])
  expect(results[0]).not.toHaveProperty('suppressions')
})

test('checks that did not run are notifications of a scan that went well', () => {
  const run = runWith({ checks_not_run: [notRun('PROM001')], not_run_checks: 3 })
  const { invocations } = parse(renderSarif({ run, result: {} }, [], '1.2.3'))
  expect(invocations).toEqual([
    {
      executionSuccessful: true,
      toolExecutionNotifications: [
        {
          level: 'warning',
          message: { text: 'Name of PROM001 (PROM001) did not run: forbidden' },
          associatedRule: { id: 'PROM001' },
        },
        { level: 'warning', message: { text: '2 more checks did not run' } },
      ],
    },
  ])
  const all = parse(renderSarif({ run: runWith(), result: {} }, [], '1.2.3')).invocations
  expect(all).toEqual([{ executionSuccessful: true, toolExecutionNotifications: [] }])
})

test('coverage stands in the properties of the run', () => {
  const coverage = freshnessFor([itemWith()]).coverage!
  const result = { coverage, coverage_summary: '1 of 1 images known' }
  expect(parse(renderSarif({ run: runWith(), result }, [], '1.2.3')).properties).toMatchObject(result)
})

test('a finding that the cluster suppresses has a suppression in source, with its reason if any', () => {
  const findings = [
    ciFinding({ suppression: { kind: 'inSource', reason: 'known' } }),
    ciFinding({ suppression: { kind: 'inSource', reason: null } }),
  ]
  const { results } = parse(renderSarif({ run: runWith(), result: {} }, findings, '1.2.3'))
  expect(results.map(({ suppressions }: { suppressions: object }) => suppressions)).toEqual([
    [{ kind: 'inSource', justification: 'known' }],
    [{ kind: 'inSource' }],
  ])
})

test('at most as many results as GitHub takes, and how many there are', () => {
  const { results, properties } = parse(
    renderSarif({ run: runWith(), result: {} }, Array(25_001).fill(ciFinding()), '1.2.3'),
  )
  expect([results.length, properties.findings, properties.listed]).toEqual([25_000, 25_001, 25_000])
})

test('any text makes a valid log whose addresses stay below it', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), fc.constant(hostile), fc.constant('../../x'))
  fc.assert(
    fc.property(text, (foreign) => {
      const run = runWith({ cluster_name: foreign, checks_not_run: [notRun(foreign, foreign)] })
      const { results } = parse(renderSarif({ run, result: {} }, [foreignFinding(foreign)], '1.2.3'))
      const { uri } = results[0].locations[0].physicalLocation.artifactLocation
      expect(uri).not.toMatch(/(^|\/)\.{1,2}(\/|$)|^\/|[\\:<>\s]/)
    }),
    { numRuns: 300 },
  )
})
