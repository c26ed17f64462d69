import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { bundledCatalogDate, bundledCatalogTime } from '../../src/catalog/date.ts'
import type { Comparison } from '../../src/contract/cluster-report.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { reltFile, start } from '../helpers/process.ts'
import { type Step, talk } from '../helpers/terminal.ts'

function startDemo(argv: string[] = [], env = {}) {
  const folder = temporaryFolder()
  const temporary = join(folder, 'tmp')
  mkdirSync(temporary)
  const home = join(folder, 'home')
  const demo = start(reltFile, ['demo', ...argv], { RELT_HOME: home, TMPDIR: temporary, HOME: folder, ...env })
  const expectNothingLeft = () => {
    expect(readdirSync(temporary)).toEqual([])
    expect(existsSync(home)).toBe(false)
    expect(readdirSync(folder)).toEqual(['tmp'])
  }
  return { ...demo, expectNothingLeft }
}

test('shows all four parts and leaves nothing', async () => {
  const { finished, expectNothingLeft } = startDemo()
  const { code, stdout, stderr } = await finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout.match(/^\$ relt .*$/gm)).toEqual([
    '$ relt reports upload shop-1.json (then 2 and 3)',
    '$ relt reports compare',
    '$ relt reports trends',
    '$ relt reports freshness',
  ])
  expect(stdout.match(/^crun_\w+$/gm)).toHaveLength(3)
  expect(stdout).toContain('Score 72.5 → 81 +8.5   3 new, 5 regressed, 10 resolved, 1 event now, 60 unchanged\n')
  expect(stdout).toMatch(
    /last 30 days: 3 runs from [\d-]{10} to [\d-]{10}\nMEASURE +FIRST +LATEST +TREND\nScore +61 +81 /,
  )
  expect(stdout).toMatch(
    /^shop-prod {2}(?:\d+ \w+, )*\d+ outdated \(\d+ major\), \d+ up to date, \d+ unknown, \d+ vulnerable$/m,
  )
  expectNothingLeft()
})

test('--json prints each answer on a line of its own', async () => {
  const { finished, expectNothingLeft } = startDemo(['--json'])
  const { code, stdout, stderr } = await finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers).toHaveLength(6)
  const compared: Comparison = answers[3]
  expect(compared).toMatchObject({
    new_findings_count: 3,
    regressed_findings_count: 5,
    resolved_findings_count: 10,
    unchanged_findings_count: 60,
    incomparable_findings_count: 0,
    score_delta: 8.5,
  })
  expectNothingLeft()
})

test('shows its own cluster, whatever cluster and server the user has chosen', async () => {
  const server = { RELT_SERVER: 'http://127.0.0.1:1', RELT_USERNAME: 'ada', RELT_PASSWORD: 'a' }
  const { finished, expectNothingLeft } = startDemo([], { RELT_CLUSTER: 'mine', ...server })
  const { code, stdout, stderr } = await finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('3 new, 5 regressed, 10 resolved')
  expectNothingLeft()
})

test('is as of the day of the bundled catalog, which it says, however old that is', async () => {
  const show = async (now: number) => {
    const { code, stdout, stderr } = await runCli(['demo', '--no-pause'], {
      home: temporaryFolder(),
      columns: 200,
      now,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout.replace(/crun_\w+/g, 'RUN')
  }
  const shown = await show(bundledCatalogTime)
  expect(shown).toContain(`As of ${bundledCatalogDate}, the day of the bundled catalog.\n`)
  expect(shown).toContain('up to date')
  expect(shown).not.toMatch(/newest known|may be missing|relt catalog sync/)
  expect(await show(Date.UTC(2028, 5, 1) / 1000)).toBe(shown)
})

test.each([
  ['SIGINT', 40],
  ['SIGTERM', 100],
] as const)('%s at any moment leaves nothing', async (signal, firstMs) => {
  for (let delayMs = firstMs; delayMs <= 520; delayMs += 120) {
    const { child, finished, expectNothingLeft } = startDemo()
    await sleep(delayMs)
    child.kill(signal)
    const ended = await finished
    // Before the first line of ours runs, the signal itself ends the process; afterwards it may be done already.
    expect([130, 143, 0, signal]).toContain(ended.code ?? ended.signal)
    expect(ended.stderr).toBe('')
    expectNothingLeft()
  }
})

test('a reader that goes away leaves nothing', async () => {
  const { child, finished, expectNothingLeft } = startDemo()
  child.stdout?.once('data', () => child.stdout?.destroy())
  const { code, stderr } = await finished
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expectNothingLeft()
})

describe('on a terminal', () => {
  const prompt = 'Press a key to continue, or q to quit.'
  const commandsIn = (text: string) => text.match(/^\$ relt reports \w+/gm)

  test.each([80, 120])('of %d columns, it is at most 100 lines', async (columns) => {
    const { code, stdout } = await runCli(['demo'], { home: temporaryFolder(), columns, rows: 24 })
    expect(code).toBe(0)
    expect(stdout.split('\n').length - 1).toBeLessThanOrEqual(100)
  })

  test('waits for a key between the steps', async () => {
    const home = temporaryFolder()
    const steps: Step[] = [
      [prompt, ' '],
      [prompt, '\r'],
      [prompt, 'x'],
    ]
    const { code, stdout, stderr, left } = await talk(['demo'], steps, { home })
    expect({ code, left }).toEqual({ code: 0, left: [] })
    expect(commandsIn(stdout)).toHaveLength(4)
    expect(stderr.split(prompt)).toHaveLength(4)
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })

  test.each(['q', '\u0003', '\u0004'])('the key %j ends it', async (key) => {
    const home = temporaryFolder()
    const steps: Step[] = [
      [prompt, ' '],
      [prompt, key],
    ]
    const { code, stdout, left } = await talk(['demo'], steps, { home })
    expect({ code, left }).toEqual({ code: 130, left: [] })
    expect(commandsIn(stdout)).toEqual(['$ relt reports upload', '$ relt reports compare'])
  })

  test.each([['--no-pause'], ['--json']])('does not wait with %s', async (option) => {
    const before = process.listeners('SIGINT')
    const { code, stderr } = await talk(['demo', option], [], { home: temporaryFolder() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(process.listeners('SIGINT').filter((listener) => !before.includes(listener))).toEqual([])
  })
})
