import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { expect, test } from 'vitest'
import { renderJunit } from '../../src/ci/junit.ts'
import { notRun, runWith } from '../gate/evidence.ts'
import { anyCharacter } from '../helpers/any-character.ts'
import { hostile, reportWith } from './results.ts'

function parse(xml: string) {
  expect(XMLValidator.validate(xml)).toBe(true)
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', trimValues: false }).parse(xml)
}

test('each rule is a test case: failed, an error, skipped as it passed by a line, or passed', () => {
  const { testsuites } = parse(renderJunit({ ...reportWith('is wrong', 30), run: runWith() }))
  const { testcase, ...suite } = testsuites.testsuite
  expect(suite).toMatchObject({ name: 'relt gate', tests: '4', failures: '1', errors: '1', skipped: '1' })
  const names = ['new>=high', 'score<80', 'regressed>=low', 'compromised']
  expect(testcase.map((each: { name: string }) => each.name)).toEqual(names)
  expect(testcase[0].failure.message).toBe('30 new findings at or above high; 0 allowed')
  expect(testcase[0].failure['#text']).toMatch(
    /^30 new .*\n(high is wrong is wrong is wrong: is wrong\n){20}and 10 more$/,
  )
  expect(testcase[1].error.message).toBe('The run has no score')
  expect(testcase[2].skipped.message).toBe(
    '0 regressed findings at or above low; 0 allowed. Not known, and accepted by relt.yaml:2: Not read: 1 failed (is wrong)',
  )
  expect(Object.keys(testcase[3])).toEqual(['classname', 'name'])
})

test('checks that did not run are skipped test cases of a suite of their own', () => {
  const run = runWith({ checks_not_run: [notRun('PROM001'), notRun('PROM002')], not_run_checks: 3 })
  const { testsuites } = parse(renderJunit({ ...reportWith('is wrong'), run }))
  expect(testsuites).toMatchObject({ tests: '7', failures: '1', errors: '1', skipped: '4' })
  const [rules, checks] = testsuites.testsuite
  expect(rules).toMatchObject({ name: 'relt gate', tests: '4', skipped: '1' })
  expect(checks).toMatchObject({ name: 'relt checks', tests: '3', failures: '0', errors: '0', skipped: '3' })
  expect(checks.testcase.map(({ name, skipped }: { name: string; skipped: object }) => [name, skipped])).toEqual([
    ['PROM001 Name of PROM001', { message: 'forbidden' }],
    ['PROM002 Name of PROM002', { message: 'forbidden' }],
    ['1 more check did not run', { message: 'The server does not report their names' }],
  ])
})

test('any text makes valid XML with no other element and no character that XML does not have', () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string(), fc.constant(hostile))
  fc.assert(
    fc.property(text, (message) => {
      const xml = renderJunit(reportWith(message))
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the characters that XML 1.0 does not have
      expect(xml).not.toMatch(/[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u)
      const { testsuites } = parse(xml)
      const [rules, checks] = testsuites.testsuite
      const { failure, ...attributes } = rules.testcase[0]
      expect(Object.keys(checks.testcase).sort()).toEqual(['#text', 'classname', 'name', 'skipped'])
      expect(attributes).toEqual({ '#text': expect.stringMatching(/^\s+$/), classname: 'relt.gate', name: 'new>=high' })
      expect(Object.keys(failure).sort()).toEqual(['#text', 'message', 'type'])
    }),
    { numRuns: 500 },
  )
})
