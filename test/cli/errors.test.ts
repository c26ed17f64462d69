import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { folderOfFile } from '../helpers/output.ts'
import { makeSmallStore } from '../helpers/small-store.ts'

const home = folderOfFile()
beforeAll(() => makeSmallStore(home))

const toHelp = 'hint: Add --help for help.\n'
const upload = 'hint: Upload one: relt reports upload FILE\n'

/** argv, exit code, what people see, what programs see. */
const failures: [argv: string, code: number, human: string | RegExp, wire: { code: string; message: string }][] = [
  [
    'xyzzy',
    2,
    'error: Unknown command "xyzzy" for `relt`.\nhint: Run `relt --help`.\n',
    usage('Unknown command "xyzzy" for `relt`.'),
  ],
  [
    'reports xyzzy',
    2,
    'error: Unknown command "xyzzy" for `relt reports`.\nhint: Run `relt reports --help`.\n',
    usage('Unknown command "xyzzy" for `relt reports`.'),
  ],
  ['stats --nope', 2, `error: unknown option '--nope'\n${toHelp}`, usage("unknown option '--nope'")],
  [
    'reports lst',
    2,
    'error: Unknown command "lst" for `relt reports`.\nhint: Did you mean `relt reports list`?\n',
    usage('Unknown command "lst" for `relt reports`.'),
  ],
  [
    'projects show',
    2,
    "error: missing required argument 'project', and there is no terminal for a prompt\nhint: Add --help for help.\n",
    usage("missing required argument 'project', and there is no terminal for a prompt"),
  ],
  [
    'projects list --status old',
    2,
    `error: --status cannot be 'old'. Use graduated, incubating, sandbox, open-source.\n${toHelp}`,
    usage("--status cannot be 'old'"),
  ],
  [
    'projects list --limit 0',
    2,
    `error: --limit cannot be '0'. Use a whole number from 1 to 100.\n${toHelp}`,
    usage("--limit cannot be '0'"),
  ],
  [
    'projects list --limit 101',
    2,
    `error: --limit cannot be '101'. Use a whole number from 1 to 100.\n${toHelp}`,
    usage("--limit cannot be '101'"),
  ],
  [
    'reports trends --days 366',
    2,
    `error: --days cannot be '366'. Use a whole number from 1 to 365.\n${toHelp}`,
    usage("--days cannot be '366'"),
  ],
  [
    'reports delete crun_nothing',
    3,
    noRun('crun_nothing'),
    notFound('No run has an id that begins with crun_nothing.'),
  ],
  ['reports show crun_nothing', 3, noRun('crun_nothing'), notFound('No run has an id that begins with crun_nothing.')],
  ['reports freshness nothing', 3, noRun('crun_nothing'), notFound('No run has an id that begins with crun_nothing.')],
  [
    'reports compare --to nothing',
    3,
    noRun('crun_nothing'),
    notFound('No run has an id that begins with crun_nothing.'),
  ],
  [
    'reports compare --cluster other',
    3,
    'error: No reports for cluster other.\nhint: Clusters: shop-prod.\n',
    notFound('No reports for cluster other.'),
  ],
  [
    'reports freshness --cluster other',
    3,
    'error: No reports for cluster other.\nhint: Clusters: shop-prod.\n',
    notFound('No reports for cluster other.'),
  ],
  ['projects show 999', 3, 'error: No project with id 999.\n', notFound('No project with id 999.')],
  [
    'projects releases nothing',
    3,
    'error: No project named "nothing".\nhint: Search for it: relt projects search TEXT\n',
    notFound('No project named "nothing".'),
  ],
  [
    'projects show argo',
    2,
    'error: "argo" matches several projects.\nhint: Choose one: argo-cd, argo-workflows\n',
    usage('"argo" matches several projects.'),
  ],
]

/** The error, the newest runs, and the hint. */
function noRun(id: string): RegExp {
  return new RegExp(
    `^error: No run has an id that begins with ${id}\\.\n( +crun_.*\n)+hint: List the runs: relt reports list\n$`,
  )
}

function usage(message: string) {
  return { code: 'relt_usage', message }
}

function notFound(message: string) {
  return { code: 'rest_no_route', message }
}

describe.each(failures)('relt %s', (argv, code, human, wire) => {
  test('fails on standard error', async () => {
    expect(await runCli(argv.split(' '), { home })).toEqual({
      ...{ code, stdout: '' },
      stderr: typeof human === 'string' ? human : expect.stringMatching(human),
    })
  })

  test('--json fails in JSON', async () => {
    const failed = await runCli([...argv.split(' '), '--json'], { home })
    expect(failed).toMatchObject({ code, stdout: '' })
    expect(failed.stderr).toMatch(/^\{"error":\{.*\}\}\n$/)
    const { error } = JSON.parse(failed.stderr)
    expect(error).toMatchObject({ code: wire.code, message: expect.stringContaining(wire.message) })
  })
})

describe('in an empty store', () => {
  test.each([
    ['reports list', 0, 'No reports yet. Upload one: relt reports upload FILE\n'],
    ['reports trends', 0, 'No reports yet. Upload one: relt reports upload FILE\n'],
    ['reports show', 3, `error: No reports yet.\n${upload}`],
    ['reports freshness', 3, `error: No reports yet.\n${upload}`],
    ['reports compare', 3, 'error: No reports yet.\nhint: Upload one: relt reports upload FILE\n'],
  ])('relt %s says so', async (argv, code, stderr) => {
    expect(await runCli(argv.split(' '), { home: temporaryFolder() })).toEqual({ code, stdout: '', stderr })
  })

  test.each([['reports list', { page: 1, per_page: 20, total: 0, total_pages: 0, items: [], environments: [] }]])(
    'relt %s --json answers with none',
    async (argv, body) => {
      const { code, stdout } = await runCli([...argv.split(' '), '--json'], { home: temporaryFolder() })
      expect({ code, body: JSON.parse(stdout) }).toEqual({ code: 0, body })
    },
  )
})

test('a store that is no database says so, and what to do', async () => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'relt.db'), 'this is no database, and it is long enough to be looked at'.repeat(99))
  const failed = await runCli(['reports', 'list'], { home })
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(failed.stderr.replaceAll(home, 'HOME')).toBe(
    'error: The store HOME/relt.db cannot be opened: file is not a database.\n' +
      'hint: Check the file and its folder, or set RELT_HOME to another folder.\n',
  )
})
