import { describe, expect, test } from 'vitest'
import { compare, fixture, read } from './fixture.ts'
import { toolLogs } from './sarif-tools.ts'

interface Log {
  runs: { results: Record<string, unknown>[] }[]
}

const without = (log: Log, position: number): Log => ({
  ...log,
  runs: log.runs.map((run) => ({ ...run, results: run.results.filter((_, i) => i !== position) })),
})

/** What comes and goes; equal results are one finding, of which only the count may move. */
async function toChange(from: unknown, to: unknown) {
  const { new: came, resolved, regressed } = await compare(JSON.stringify(from), JSON.stringify(to))
  return { came: came.length, resolved: resolved.length, regressed: regressed.length }
}

test('there are logs of many tools', () => {
  expect(toolLogs.length).toBeGreaterThan(30)
  expect(new Set(toolLogs.map(({ name }) => name.split(' ')[0])).size).toBeGreaterThan(10)
})

describe.each(toolLogs)('a log of $name', ({ log }) => {
  const { results } = (log as Log).runs[0]!

  test('has a finding for each result', async () => {
    const { new: came } = await compare(
      JSON.stringify(without(log, -1)).replace(JSON.stringify(results), '[]'),
      JSON.stringify(log),
    )
    expect(came).toHaveLength(results.length)
    expect((await read(JSON.stringify(log))).findings.total).toBe(results.length)
  })

  test('shows that any one result is gone, and that it is back', async () => {
    for (const position of results.keys()) {
      expect(await toChange(log, without(log, position))).toEqual({ came: 0, resolved: 1, regressed: 0 })
      expect(await toChange(without(log, position), log)).toEqual({ came: 1, resolved: 0, regressed: 0 })
    }
  })

  test('has the same findings in any order', async () => {
    const backwards = { ...log, runs: [{ ...log.runs[0], results: results.toReversed() }] }
    expect(await toChange(log, backwards)).toEqual({ came: 0, resolved: 0, regressed: 0 })
  })

  test('keeps its findings when versions rise and lines move', async () => {
    const later = JSON.stringify(log)
      .replace(
        /(Installed Version: |Fixed Version: |version |@)(\d+)\.(\d+)/g,
        (_, word, major, minor) => `${word}${major}.${Number(minor) + 5}`,
      )
      .replace(/"(startLine|endLine)":(\d+)/g, (_, key, line) => `"${key}":${Number(line) + 2}`)
    expect(later).not.toBe(JSON.stringify(log))
    expect(await toChange(log, JSON.parse(later))).toEqual({ came: 0, resolved: 0, regressed: 0 })
  })
})

const logOf = (...results: object[]) =>
  JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver: { name: 'lint' } }, results }] })
const at = (startLine: number, startColumn: number) => ({
  ruleId: 'A',
  message: { text: 'is wrong' },
  locations: [{ physicalLocation: { artifactLocation: { uri: 'a.yaml' }, region: { startLine, startColumn } } }],
})

test('two columns of a line are two findings, equal results are one', async () => {
  const { new: came } = await compare(logOf(), logOf(at(3, 1), at(3, 9), at(3, 9)))
  expect(came.map(({ value }) => value).sort()).toEqual(['a.yaml:3', 'a.yaml:3:9'])
})

test('a message in other words is no change where the tool gives a fingerprint', async () => {
  const said = (text: string) => logOf({ ...at(3, 1), message: { text }, partialFingerprints: { hash: 'abc' } })
  expect(await compare(said('Old words'), said('New words'))).toMatchObject({
    new: [],
    resolved: [],
    unchangedCount: 1,
  })
})

test('two runs of one tool over two images have their own findings', async () => {
  const run = (imageName: string) => ({
    tool: { driver: { name: 'Trivy' } },
    properties: { imageName },
    results: [at(1, 1)],
  })
  const log = (...images: string[]) => JSON.stringify({ version: '2.1.0', runs: images.map(run) })
  expect((await compare(log('shop/web:1'), log('shop/web:2', 'shop/cart:1'))).new).toHaveLength(1)
})

test('an accepted suppression is kept apart, one under review suppresses nothing', async () => {
  const suppressed = (status?: string) => ({
    ...at(3, 1),
    suppressions: [{ kind: 'external', status, justification: 'known' }],
  })
  const scan = await read(
    logOf(suppressed('accepted'), suppressed(), suppressed('underReview'), suppressed('rejected')),
  )
  expect(scan.findings.total).toBe(2)
  expect(scan.index.suppressed).toMatchObject([{ count: 2, resource: 'a.yaml', reason: 'known', until: null }])
})

test('one of two equal sentences that is suppressed now is not resolved', async () => {
  const suppressed = { ...at(9, 1), suppressions: [{ kind: 'external' }] }
  const {
    new: came,
    resolved,
    suppressed: quiet,
  } = await compare(logOf(at(3, 1), at(9, 1)), logOf(at(3, 1), suppressed))
  expect({ came, resolved }).toEqual({ came: [], resolved: [] })
  expect(quiet).toMatchObject([{ value: 'a.yaml:9', reason: 'external' }])
})

test('a result that is open, and a rule that failed, did not run', async () => {
  const log = JSON.parse(logOf({ ...at(1, 1), ruleId: 'B', kind: 'open' }))
  const notification = { level: 'error', message: { text: 'crashed' } }
  log.runs[0].invocations = [
    {
      executionSuccessful: true,
      toolExecutionNotifications: [{ ...notification, associatedRule: { id: 'C' } }, notification],
    },
  ]
  const scan = await read(JSON.stringify(log))
  expect(scan).toMatchObject({ totalChecks: 3, failedChecks: 0, warnings: [] })
  expect(scan.checksNotRun).toEqual([
    { id: 'B', name: 'B', reason: 'is wrong' },
    { id: 'C', name: 'C', reason: 'crashed' },
    { id: 'Run of lint', name: 'Run of lint', reason: 'not understood: the tool reports an error: crashed' },
  ])
})

test('a rule of an extension is found by its own index', async () => {
  const extension = {
    name: 'queries',
    rules: [{ id: 'js/xss', shortDescription: { text: 'XSS' }, properties: { 'security-severity': '9.1' } }],
  }
  const driver = { name: 'CodeQL', rules: [{ id: 'other' }] }
  const result = { ...at(1, 1), ruleId: 'js/xss', rule: { id: 'js/xss', index: 0, toolComponent: { index: 0 } } }
  const scan = await read(
    JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver, extensions: [extension] }, results: [result] }] }),
  )
  expect(scan.findings.critical).toBe(1)
  expect(scan.index.checks.map(({ name }) => name)).toEqual(['other', 'XSS'])
})

test('the suppressed result of the fixture is no finding', async () => {
  expect((await read(fixture('sarif'))).index.suppressed).toMatchObject([
    { message: 'Container job has no probe', reason: 'external' },
  ])
})
