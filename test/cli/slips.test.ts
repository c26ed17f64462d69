import { join } from 'node:path'
import type { Command } from 'commander'
import { beforeAll, describe, expect, test } from 'vitest'
import { renderSummary, syncAnswer } from '../../src/cli/commands/catalog/sync-view.ts'
import { createIo } from '../../src/cli/output/io.ts'
import { createProgram } from '../../src/cli/program/root.ts'
import { type NoAnswer, ofHost } from '../../src/collectors/http/failure.ts'
import { createContext } from '../../src/context.ts'
import { number } from '../../src/util/words.ts'
import { runCli, testNow } from '../helpers/cli.ts'
import { folderOfFile, withoutColors } from '../helpers/output.ts'
import { makePrograms } from '../helpers/programs.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

const home = folderOfFile()
const run = (line: string, options: { columns?: number; env?: Record<string, string>; now?: number } = {}) =>
  runCli(line.split(' '), { home, ...options, env: { NO_COLOR: '1', ...options.env } })

beforeAll(() => makeSmallStore(home))

describe('a file that is not there is reported in one form by', () => {
  test.each([
    'reports upload NONE',
    'ci NONE --fail-on score<1',
    'apply --dry-run -f NONE',
    'apply -f NONE',
    'profiles create x --from NONE',
    'catalog import NONE',
    'admin restore NONE',
    'admin verify NONE',
    'api POST /labels --input NONE',
    'auth login https://radar.example --username ada --secret-file NONE',
    'serve --tls-cert NONE --tls-key NONE',
    'gate check --policy NONE --fail-on score<1',
  ])('%s', async (line) => {
    const file = join(home, 'no-such.json')
    const { env } = makePrograms(home, ['kubebuddy'])
    const { code, stdout, stderr } = await run(line.replaceAll('NONE', file), { env })
    expect({ code: [2, 6].includes(code), stdout }).toEqual({ code: true, stdout: '' })
    expect(stderr.split('\n')[0]).toMatch(/ cannot be read: no such file\.$/)
    expect(stderr).toContain(`${file} cannot`)
    expect(stderr).not.toContain('ENOENT')
  })
})

test.each([
  ['export --out', 'no such folder'],
  ['catalog export', 'no such folder'],
])('%s never names a temporary file', async (line, reason) => {
  const file = join(home, 'none', 'out')
  const { code, stderr } = await run(`${line} ${file}`)
  expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
    code: 2,
    stderr: `error: ${file} cannot be written: ${reason}.`,
  })
})

test('one day is singular', async () => {
  const { stdout } = await run('reports trends --days 1', { now: Date.UTC(2026, 7, 31, 12) / 1000 })
  expect(stdout).toContain('last 1 day: 1 run on 2026-08-31\n')
})

test('trends without a run in its window says when the last one was', async () => {
  const { stderr } = await run('reports trends --days 90', { now: Date.UTC(2027, 5, 1) / 1000 })
  expect(stderr).toContain('The latest run of shop-prod (prod) is from 2026-08-31.')
})

test('a container engine without a daemon is not ready', async () => {
  const { env } = makePrograms(folderOfFile(), ['docker'])
  const off = await run('doctor', { env: { ...env, FAKE_SCAN: 'no-daemon' } })
  expect(off.stdout).toContain('warn  scanner         docker is installed, but its engine does not answer')
  expect((await run('doctor', { env })).stdout).toContain('ok    scanner         docker')
})

test('sources that fail for the same reason are one line', () => {
  const source = (slug: string, { reason, noAnswer }: { reason: string; noAnswer?: NoAnswer }) => ({
    projectId: 1,
    slug,
    name: slug,
    kind: 'github' as const,
    url: 'https://github.com/x/y',
    outcome: 'unreachable' as const,
    reason,
    noAnswer,
    added: 0,
    updated: 0,
    retryAt: null,
    news: [],
  })
  const all = Array.from({ length: 600 }, (_, i) =>
    source(`p${i}`, ofHost({ host: `host${i % 5}.example`, why: 'there is no such host' })),
  )
  const outcomes = [...all, source('one', { reason: 'github.com: HTTP status 500' })]
  const answer = syncAnswer(outcomes, {
    total: 601,
    isDry: false,
    facts: [],
    advisories: { asked: 0, found: 0, unanswered: 0 },
  })
  const io = createIo(createContext({ env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr }))
  expect(
    withoutColors(renderSummary(io, answer, { outcomes, now: testNow }))
      .split('\n')
      .slice(0, 3),
  ).toEqual([
    '! 600 sources: there is no such host: host0.example, host1.example, host2.example and 2 more',
    '! one (github): github.com: HTTP status 500',
    '601 of 601 sources: 601 unreachable',
  ])
})

test('large numbers have separators for people, and none in data', () => {
  expect([0, 999, 1000, 94_995, 12_277_001, 72.5].map(number)).toEqual([
    '0',
    '999',
    '1,000',
    '94,995',
    '12,277,001',
    '72.5',
  ])
})

test('no cell of a spreadsheet is a date by mistake, or JSON', async () => {
  for (const line of ['reports list', 'reports show', 'projects show argo-cd', 'gate check --fail-on score<1']) {
    const { stdout } = await run(`${line} -o csv`)
    expect(stdout.length).toBeGreaterThan(50)
    expect(stdout).not.toMatch(/(^|,)\d+\/\d+(,|$)|[[{]"/m)
  }
  expect((await run('projects show argo-cd -o csv')).stdout).toContain('releases.app.0.version,v3.5.1\n')
})

test('help lists an option once', async () => {
  const context = createContext({ env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr })
  const program = await createProgram(context, [], { loadAll: true })
  const twice: string[] = []
  const check = (command: Command, path: string) => {
    const options = command.helpInformation().match(/^ {2}(?:-\w, )?--[\w-]+/gm) ?? []
    const names = options.map((option) => option.trim().split(' ').at(-1)!)
    for (const name of names) if (names.indexOf(name) !== names.lastIndexOf(name)) twice.push(`${path} ${name}`)
    for (const child of command.commands) check(child, `${path} ${child.name()}`)
  }
  check(program, 'relt')
  expect(twice).toEqual([])
})

test('-c, -e, -n and -p mean the same everywhere', async () => {
  const context = createContext({ env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr })
  const meanings = new Map<string, Set<string>>()
  const read = (command: Command) => {
    for (const { short, long, hidden } of command.options) {
      if (short && !hidden) meanings.set(short, (meanings.get(short) ?? new Set()).add(long!))
    }
    command.commands.forEach(read)
  }
  read(await createProgram(context, [], { loadAll: true }))
  const of = (short: string) => [...(meanings.get(short) ?? [])]
  expect({ c: of('-c'), e: of('-e'), n: of('-n'), p: of('-p') }).toEqual({
    c: ['--cluster'],
    e: ['--environment'],
    n: ['--limit'],
    p: ['--page'],
  })
})

test('messages break between words at 80 columns', async () => {
  const { stderr } = await run('notify test', { columns: 80 })
  const lines = stderr.split('\n')
  expect(lines.every((line) => line.length <= 80)).toBe(true)
  const { stderr: whole } = await run('notify test')
  expect(lines.join(' ').trim()).toBe(whole.replaceAll('\n', ' ').trim())
})

test('a narrow comparison says everything that happened', async () => {
  const { stdout } = await run('reports compare', { columns: 80 })
  expect(stdout).not.toContain('…')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Reachable from outside through a node port')
})

test('freshness says chart before the name, and keeps sentences out of BEHIND', async () => {
  for (const columns of [80, 120, 200]) {
    const { stdout } = await run('reports freshness', { columns })
    expect(stdout).toMatch(/^major +chart argo-cd /m)
    expect(stdout).toMatch(/^STATUS +ARTIFACT /m)
    const head = stdout.split('\n').find((line) => line.startsWith('STATUS'))!
    const reason = stdout.indexOf('No catalog project')
    if (reason >= 0) expect(head).toContain('REASON')
  }
})

test('an unknown command suggests its namesake among the nouns', async () => {
  expect((await run('upload x')).stderr).toContain('Did you mean `relt reports upload`?')
})

test('the latest release of a project is the same in every table', async () => {
  await run('subs add argo-cd')
  const latest = async (line: string) =>
    (await run(`${line} --no-headers -o csv`)).stdout.split('\n').find((row) => row.includes('Argo CD'))
  const [inSubs, inProjects] = [
    await latest('subs list --columns project,latest'),
    await latest('projects list --columns name,latest'),
  ]
  expect(inSubs).toBe('Argo CD,v3.5.1')
  expect(inProjects).toBe(inSubs)
})

test('every secret has the option --secret-file', async () => {
  const context = createContext({ env: {}, stdin: process.stdin, stdout: process.stdout, stderr: process.stderr })
  const program = await createProgram(context, [], { loadAll: true })
  const visible: string[] = []
  const read = (command: Command, path: string) => {
    for (const { long } of command.options) {
      if (/secret|token|password/.test(long ?? '')) visible.push(`${path} ${long}`)
    }
    for (const child of command.commands) read(child, `${path} ${child.name()}`.trim())
  }
  read(program, '')
  expect(visible.map((each) => each.split(' ').at(-1))).toEqual(visible.map(() => '--secret-file'))
  expect(visible.length).toBeGreaterThanOrEqual(5)
})

test('a sign-in takes the certificates of its server', async () => {
  const file = join(home, 'none.pem')
  const argv = ['auth', 'login', 'https://radar.example', '--username', 'ada', '--secret-file', '-', '--ca-file', file]
  const { code, stderr } = await runCli(argv, { home, stdin: 'secret\n' })
  expect({ code, stderr }).toEqual({
    code: 2,
    stderr: `error: The certificates in ${file} cannot be read: no such file.\n`,
  })
})
