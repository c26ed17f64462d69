import { expect, test } from 'vitest'
import type { CheckNotRun } from '../../../../src/contract/cluster-report.ts'
import { firstSentence, listNotRun, shortenedNotes } from '../../../../src/views/not-run-text.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

const conversion =
  'Script block execution failed: Cannot convert value "14Gi" to type "System.Int32". Error: "The input string \'14Gi\' was not in a correct format."'
const command =
  "Script block execution failed: The term '$ready' is not recognized as a name of a cmdlet. Check the spelling of the name, and try again."

test.each([
  ['forbidden', 'forbidden'],
  ['The policy engine reported an error.', 'The policy engine reported an error'],
  [conversion, 'Script block execution failed: Cannot convert value "14Gi" to type "System.Int32"'],
  [
    'Unable to check due to: pods is forbidden: cannot list resource "pods" in v1.34 at 10.0.0.1',
    'Unable to check due to: pods is forbidden: cannot list resource "pods" in v1.34 at 10.0.0.1',
  ],
  ['What? Nothing.', 'What?'],
  ['One line\nand another', 'One line'],
  ['  Insufficient Prometheus history. 2 of 24 hours.  ', 'Insufficient Prometheus history'],
  [`${'word '.repeat(60)}end`, `${'word '.repeat(31)}word…`],
  ['', ''],
])('the first sentence of %j is %j', (reason, sentence) => {
  expect(firstSentence(reason)).toBe(sentence)
})

const named = (ids: string[], reason = 'forbidden'): CheckNotRun[] =>
  ids.map((id) => ({ check_id: id, name: id, reason }))

test('lists five checks, and all with the whole reason if asked', () => {
  const seven = named(['A', 'B', 'C', 'D', 'E', 'F', 'G'], 'Forbidden. Ask for the role.')
  expect(listNotRun(seven)).toEqual([
    ': A (Forbidden), B (Forbidden), C (Forbidden), D (Forbidden), E (Forbidden) and 2 more',
  ])
  expect(listNotRun(seven, { explain: true }).join('\n')).toMatch(
    /^:(?:\n {2}[A-G]: Forbidden\. Ask for the role\.){7}$/,
  )
  expect(listNotRun([])).toEqual([''])
})

test('says that something is left out only where it is', () => {
  const isShort = (...checks: CheckNotRun[][]) =>
    shortenedNotes(
      checks.map((named) => ({ named })),
      false,
    ).length > 0
  expect(isShort(named(['A', 'B'], 'No history.'))).toBe(false)
  expect(isShort([], named(['A'], 'No history. Wait.'))).toBe(true)
  expect(isShort(named(['A', 'B', 'C', 'D', 'E', 'F']))).toBe(true)
  expect(shortenedNotes([{ named: named(['A'], conversion) }], true)).toEqual([])
})

/** A report whose checks are listed in this order; those with a reason did not run. */
function toReport(day: number, checks: [id: string, error?: string][]) {
  const entries = checks.map(([id, error]) => {
    const about = { ID: id, Name: `Check ${id}`, Severity: 'High' }
    return [id, error === undefined ? { ...about, Total: 0, Items: [] } : { ...about, Error: error }]
  })
  const metadata = { clusterName: 'shop', generatedAt: `2026-08-${day}T06:00:00Z`, kubernetesVersion: 'v1.34.2' }
  return JSON.stringify({ metadata, checks: Object.fromEntries(entries) })
}

async function compare(...reports: string[]) {
  const home = temporaryFolder()
  for (const stdin of reports) {
    expect(await runCli(['reports', 'upload', '-'], { home, stdin })).toMatchObject({ code: 0 })
  }
  const run = async (...argv: string[]) => (await runCli(['reports', ...argv], { home })).stdout
  const toLines = (text: string) => text.split('\n').slice(2).filter(Boolean)
  return { run, compared: async (...argv: string[]) => toLines(await run('compare', ...argv)) }
}

test('tells checks that did not run in both scans once, whatever their order', async () => {
  const { run, compared } = await compare(
    toReport(10, [['NODE002', conversion], ['WRK003', command], ['POD001']]),
    toReport(11, [['POD001'], ['WRK003', command], ['NODE002', conversion]]),
  )
  const short = `2 checks did not run in either scan: WRK003 (${firstSentence(command)}), NODE002 (${firstSentence(conversion)})`
  expect(await compared()).toEqual([short, 'The reasons are cut short. Add --explain to show them whole.'])
  const whole = ['2 checks did not run in either scan:', `  WRK003: ${command}`, `  NODE002: ${conversion}`]
  expect(await compared('--explain')).toEqual(whole)
  const shown = await run('show')
  expect(shown).toContain(`, 2 did not run: WRK003 (${firstSentence(command)})`)
  expect(shown).not.toContain('Check the spelling')
  expect(await run('show', '--explain')).toContain('Check the spelling')
  for (const argv of [['compare'], ['show']]) {
    expect(await run(...argv, '--json')).toContain(JSON.stringify(conversion))
  }
})

test('tells apart what did not run in one scan alone', async () => {
  const { compared } = await compare(
    toReport(10, [['A', 'forbidden'], ['B', 'time-out'], ['C']]),
    toReport(11, [['C', 'no history'], ['B', 'forbidden'], ['A']]),
  )
  expect(await compared()).toEqual([
    '1 check did not run in either scan: B (forbidden)',
    '1 check did not run in the earlier scan: A (forbidden)',
    '1 check did not run in the later scan: C (no history)',
  ])
})
