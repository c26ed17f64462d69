import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { withoutColors } from '../helpers/output.ts'
import { makeSmallCatalog, smallReport } from '../helpers/small-store.ts'

const wrong = { Namespace: 'shop', Resource: 'pod/cart', Message: 'is wrong' }
const checks = { SEC014: { severity: 'critical', items: [wrong] }, WRK007: { severity: 'low', items: [] } } as const

type Report = ReturnType<typeof smallReport>

/** Why a score can rise while nothing gets better. */
const faults: Record<string, (report: Report) => void> = {
  'a check did not run': ({ checks }) => Object.assign(checks.WRK007!, { Skipped: true }),
  'a check is gone': ({ checks }) => {
    delete checks.WRK007
  },
  'a namespace is excluded': ({ metadata }) => {
    metadata.excludedNamespaces.push('shop')
  },
}

/** A store of scans, one a day: those at `faulty` lack something. */
async function openStore(scores: number[], faulty: number[], spoil: (report: Report) => void) {
  const home = temporaryFolder()
  await makeSmallCatalog(home)
  for (const [day, score] of scores.entries()) {
    const report = smallReport(`2026-08-${20 + day}T06:00:00Z`, score, structuredClone(checks) as never)
    if (faulty.includes(day)) spoil(report)
    await runCli(['reports', 'upload', '-'], { home, stdin: JSON.stringify(report) })
  }
  const now = Date.UTC(2026, 7, 19 + scores.length, 12) / 1000
  const run = (...argv: string[]) => runCli(argv, { home, columns: 160, now })
  const json = async (...argv: string[]) => JSON.parse((await run(...argv, '--json')).stdout)
  return { home, run, json }
}

const green = '\u001b[32m+30'

describe.each(Object.entries(faults))('a score that rises because %s', (_, spoil) => {
  test.each([
    ['now', [2]],
    ['before', [0, 1]],
  ])('is no progress in any color where it lacks that %s', async (_, faulty) => {
    const { home, run, json } = await openStore([60, 60, 90], faulty, spoil)
    expect(await json('reports', 'compare')).toMatchObject({ score_delta: null })
    expect((await json('status', 'shop-prod')).latest_run).toMatchObject({ score_delta: null })
    for (const argv of [
      ['reports', 'compare'],
      ['status', 'shop-prod'],
      ['status', '--all', '-o', 'wide'],
      ['status', 'shop-prod', '-o', 'wide'],
    ]) {
      expect((await run(...argv)).stdout, argv.join(' ')).not.toContain('+30')
    }
    expect((await run('reports', 'compare')).stdout).toContain('(not comparable)')
    const page = join(home, 'run.html')
    await run('reports', 'html', '--out', page)
    expect(readFileSync(page, 'utf8')).not.toContain('+30')
  })

  test('is marked, and left out of trends', async () => {
    const { run, json } = await openStore([60, 60, 90], [2], spoil)
    expect((await run('reports', 'list')).stdout).toMatch(/ 90\* /)
    expect((await run('reports', 'show')).stdout).toContain('90*')
    expect((await run('reports', 'compare')).stdout).toContain('90*')
    expect((await json('status', 'shop-prod')).scores).toEqual([60, 60, null])
    const { stdout, stderr } = await run('reports', 'trends')
    expect(stdout).not.toMatch(/60 → 90/)
    expect(withoutColors(stdout + stderr).replaceAll(/\s+/g, ' ')).toContain(
      '1 of 3 runs has other gaps than most, and is not plotted.',
    )
  })

  test('decides no rule', async () => {
    const { run } = await openStore([60, 90], [1], spoil)
    for (const rule of ['score<80', 'score-drop>5']) {
      for (const _ of [1, 2]) expect((await run('gate', 'check', '--fail-on', rule)).code).toBe(6)
    }
  })
})

test('a rise between scans of the same checks is progress', async () => {
  const { run, json } = await openStore([60, 90], [], () => {})
  expect(await json('reports', 'compare')).toMatchObject({ score_delta: 30 })
  for (const argv of [
    ['reports', 'compare'],
    ['status', 'shop-prod'],
  ])
    expect((await run(...argv)).stdout).toContain(green)
  expect((await json('status', 'shop-prod')).scores).toEqual([60, 90])
})

test('scores before and after a smaller scope was taken in are no trend', async () => {
  const { home, run, json } = await openStore([60, 60, 90], [2], faults['a check is gone']!)
  expect((await run('gate', 'baseline', '--reason', 'Renamed')).code).toBe(0)
  expect((await json('status', 'shop-prod')).scores).toEqual([60, 60, null])
  const report = smallReport('2026-08-29T06:00:00Z', 91, { SEC014: structuredClone(checks.SEC014) as never })
  writeFileSync(join(home, 'later.json'), JSON.stringify(report))
  await run('reports', 'upload', join(home, 'later.json'))
  expect(await json('reports', 'compare')).toMatchObject({ score_delta: 1 })
  const { points } = await json('reports', 'trends')
  expect(points[2].gaps_key).toBe(points[3].gaps_key)
  expect(points[2].gaps_key).not.toBe(points[0].gaps_key)
})
