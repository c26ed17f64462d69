import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import stringWidth from 'fast-string-width'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCommand } from '../../src/cli/program/root.ts'
import { createLocalClient } from '../../src/client/local.ts'
import { runCli, testNow } from '../helpers/cli.ts'
import { folderOfFile, withoutColors } from '../helpers/output.ts'
import { exampleFile } from '../helpers/report.ts'
import { makeSmallStore, smallReport, uploadAll } from '../helpers/small-store.ts'

const small = folderOfFile()
const shop = folderOfFile()
const hostile = folderOfFile()
const file = join(hostile, 'report.json')

/** Clears the screen, sets the title, colours, moves, rings, and turns text around; C0, C1 and direction marks. */
const evil = '\u001b[2J\u001b]0;owned\u0007\u001b[31m\u009b31m\r\n\b\u202etxt.exe\u2066\u200f'
const long = 'a-name-that-goes-on-and-on-'.repeat(12)
const wide = '日本語のとても長い名前👩‍👩‍👧‍👦🇪🇺é️'.repeat(6)

const hostileReport = (day: string, items: string[]) => {
  const finding = (text: string) => ({
    Namespace: `ns${text}`,
    Resource: `pod/${text}`,
    Message: `says ${text}`,
    Value: text,
  })
  const checks = { [`ID${evil}`]: { severity: 'critical', items: items.map(finding) } }
  const report = smallReport(`2026-08-${day}T06:00:00Z`, 50, checks)
  report.metadata.clusterName = `evil${evil}`
  report.metadata.kubernetesVersion = `v1.2.3${evil}`
  for (const name of [evil, long, wide]) {
    report.artifacts.images.push({
      fullRef: `example.com/${name}:1.0`,
      namespace: name,
      workloadKind: 'Pod',
      workloadName: name,
    })
    report.artifacts.helmCharts.push({ name, version: `1.0.0${name}`, namespace: name })
  }
  return report
}

beforeAll(async () => {
  await makeSmallStore(small)
  for (const number of [1, 2, 3] as const) await runCli(['reports', 'upload', exampleFile(number)], { home: shop })
  const reports = [hostileReport('29', [evil]), hostileReport('30', [long, evil]), hostileReport('31', [wide])]
  await uploadAll(hostile, reports)
  writeFileSync(file, JSON.stringify(reports[2]))
})

const reading = [
  'reports list',
  'reports show',
  'reports compare',
  'reports trends',
  'reports freshness',
  'reports freshness --explain',
]
const reportVerbs = [...reading, `reports upload ${file} --compare`]
const catalogVerbs = [
  'projects list --limit 100',
  'projects search kubernetes --limit 100',
  'projects show argo-cd',
  'projects show cert-manager',
  'projects releases argo-cd',
  'projects releases argo-cd --type helm',
  'stats',
]
const failures = ['reports show crun_a', 'projects show ku', 'reports nope', 'projects list --limit 0']
const every = [...reading, ...catalogVerbs, ...failures, 'reports delete crun_a', '--help', 'reports upload --help']

test.each([
  ...reading.map((verb) => ['shop', verb, shop] as const),
  ...reportVerbs.map((verb) => ['hostile', verb, hostile] as const),
  ...catalogVerbs.map((verb) => ['catalog', verb, shop] as const),
])('no line is wider than the terminal: %s, %s', async (_, verb, home) => {
  const tooWide: [columns: number, line: string][] = []
  for (const columns of [40, 60, 80, 120, 200]) {
    const { stdout, stderr } = await runCli(verb.split(' '), { home, columns })
    // On narrower ones a message is the terminal's to break.
    const text = columns < 80 ? stdout : `${stdout}${stderr}`
    for (const line of withoutColors(text).split('\n')) {
      if (stringWidth(line) > columns) tooWide.push([columns, line])
    }
  }
  expect(tooWide.slice(0, 4)).toEqual([])
})

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what must not be there
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

describe('what a report says cannot steer the terminal', () => {
  test.each(reportVerbs)('%s', async (verb) => {
    const { code, stdout, stderr } = await runCli(verb.split(' '), { home: hostile, columns: 120 })
    expect(code).toBe(0)
    expect(stdout).toContain('owned')
    expect(withoutColors(`${stdout}${stderr}`)).not.toMatch(control)
  })

  test.each(['yaml', 'csv', 'markdown'])('nor as %s', async (format) => {
    for (const verb of [...reading, 'reports show --report']) {
      const { code, stdout, stderr } = await runCli([...verb.split(' '), '-o', format], { home: hostile, columns: 80 })
      expect(code).toBe(0)
      expect(stdout).toContain('owned')
      expect(withoutColors(`${stdout}${stderr}`), verb).not.toMatch(control)
    }
  })

  test('nor as YAML means anything else', async () => {
    const { parse } = await import('yaml')
    const [shown, piped] = await Promise.all(
      [{ columns: 80 }, {}].map((form) =>
        runCli(['reports', 'show', '--report', '-o', 'yaml'], { home: hostile, ...form }),
      ),
    )
    expect(parse(shown!.stdout)).toEqual(parse(piped!.stdout))
  })

  test('nor by --jq', async () => {
    for (const program of ['..', '.. | strings', 'error(.report | tostring)']) {
      const argv = ['reports', 'show', '--report', '--jq', program]
      const { stdout, stderr } = await runCli(argv, { home: hostile, columns: 80 })
      expect(stdout + stderr).toContain('owned')
      expect(withoutColors(`${stdout}${stderr}`)).not.toMatch(control)
    }
  })

  test('nor in JSON, whose meaning stays the same', async () => {
    for (const verb of [...reading.slice(0, -1), 'reports show --report']) {
      const argv = [...verb.split(' '), ...(verb.includes('--report') ? [] : ['--json'])]
      const { stdout } = await runCli(argv, { home: hostile, columns: 120 })
      expect(stdout).toContain('owned')
      expect(stdout, verb).not.toMatch(control)
      const piped = await runCli(argv, { home: hostile })
      expect(JSON.parse(stdout)).toEqual(JSON.parse(piped.stdout))
    }
  })

  test('a file name, an argument', async () => {
    for (const argv of [
      ['reports', 'upload', `missing${evil}`],
      ['projects', 'show', evil],
      ['reports', 'show', evil],
    ]) {
      const { stderr } = await runCli(argv, { home: small, columns: 120 })
      expect(withoutColors(stderr)).not.toMatch(control)
    }
  })
})

describe('colours', () => {
  test.each(reading.concat('projects list', 'projects show argo-cd', 'projects releases argo-cd', 'stats'))(
    '%s has the same text with and without them',
    async (verb) => {
      const run = (env: Record<string, string>, ...more: string[]) =>
        runCli([...verb.split(' '), ...more], { home: small, columns: 80, env })
      const coloured = await run({})
      expect(coloured.stdout).toContain('\u001b[')
      const without = await run({ NO_COLOR: '1' })
      expect(without.stdout).toBe(withoutColors(coloured.stdout))
      expect(await run({}, '--no-color')).toEqual(without)
      expect(await run({ NO_COLOR: '1', FORCE_COLOR: '1' })).toEqual(without)
      // A dumb terminal gets plots in ASCII.
      const isPlot = verb.startsWith('reports trends')
      expect(await run({ TERM: 'dumb' })).toEqual(isPlot ? await run({ TERM: 'dumb', NO_COLOR: '1' }) : without)
      expect(await run({ FORCE_COLOR: '0' })).toEqual(without)
    },
  )

  test.each([
    ['in a pipe', {}, []],
    ['with NO_COLOR', { columns: 80, env: { NO_COLOR: '1' } }, []],
    ['with --no-color', { columns: 80 }, ['--no-color']],
    ['for --no-color against FORCE_COLOR', { columns: 80, env: { FORCE_COLOR: '1' } }, ['--no-color']],
  ])('are absent %s', async (_, form, more) => {
    for (const verb of every) {
      const { stdout, stderr } = await runCli([...verb.split(' '), ...more], { home: shop, ...form })
      expect(`${stdout}${stderr}`, verb).not.toContain('\u001b')
    }
  })

  test('FORCE_COLOR colours a pipe', async () => {
    const { stdout } = await runCli(['reports', 'list'], { home: small, env: { FORCE_COLOR: '1' } })
    expect(stdout).toContain('\u001b[1m')
  })

  test.each([
    ['a note', 'projects list --limit 2', true, false],
    ['an error', 'projects show nothing', true, false],
    ['an error', 'projects show nothing', false, true],
  ])('of %s follow standard error: %s, output on a terminal %s, messages %s', async (_, verb, out, err) => {
    const { stdout, stderr } = await runOn(verb, { out, err })
    expect(stdout.includes('\u001b')).toBe(out && stdout !== '')
    expect(stderr.includes('\u001b')).toBe(err)
  })
})

/** Output and messages can go to different places: `relt … 2> messages.txt`. */
async function runOn(verb: string, terminal: { out: boolean; err: boolean }) {
  const texts = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof texts, isTTY: boolean) =>
    Object.assign(
      new Writable({
        write: (chunk, _encoding, done) => {
          texts[name] += chunk
          done()
        },
      }),
      { isTTY, columns: 80 },
    )
  const env = { RELT_HOME: small, RELT_KEYCHAIN: 'off' }
  const client = await createLocalClient({ env, now: () => testNow })
  await runCommand(
    {
      env,
      stdin: Readable.from([]),
      stdout: stream('stdout', terminal.out),
      stderr: stream('stderr', terminal.err),
      now: () => testNow,
      settings: async () => ({}),
      select: () => {},
      client: async () => client,
      localClient: async () => client,
      admin: () => Promise.reject(new Error('not used')),
      credentials: async () => undefined,
      server: async () => undefined,
      toClient: () => Promise.reject(new Error('not used')),
      serve: async () => {},
    },
    verb.split(' '),
  )
  await client.close()
  return texts
}
