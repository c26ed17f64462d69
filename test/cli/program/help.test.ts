import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { formerNouns, groupTitles, nouns } from '../../../src/cli/program/nouns.ts'
import { runCli, temporaryFolder } from '../../helpers/cli.ts'
import { folderOfFile } from '../../helpers/output.ts'

const home = folderOfFile()
const relt = (line: string) => runCli(line === '' ? [] : line.split(' '), { home, columns: 80 })
const helpOf = async (line: string) => (await relt(`${line} --help`.trim())).stdout

/** Lines of a section, without its title. */
function sectionOf(help: string, title: string): string[] {
  const lines = help.split('\n')
  const from = lines.indexOf(`${title}:`)
  return from < 0 ? [] : lines.slice(from + 1, lines.indexOf('', from) < 0 ? undefined : lines.indexOf('', from))
}

describe('the table of nouns', () => {
  test('has a noun for each folder of commands', () => {
    const folder = fileURLToPath(new URL('../../../src/cli/commands', import.meta.url))
    expect(readdirSync(folder).sort()).toEqual(Object.keys(nouns).sort())
  })

  test('has one short imperative clause as each summary', () => {
    for (const { summary } of Object.values(nouns)) expect(summary).toMatch(/^[A-Z][a-z]+,? [^;:]{1,59}[^.]$/)
  })

  test('names only present nouns as the new names of former ones', () => {
    for (const [former, present] of Object.entries(formerNouns)) {
      expect(Object.keys(nouns)).toContain(present)
      expect(Object.keys(nouns)).not.toContain(former)
    }
  })
})

describe('help', () => {
  test('lists every noun once, in its group', async () => {
    const help = await helpOf('')
    const listed = Object.entries(groupTitles).flatMap(([group, title]) =>
      sectionOf(help, title)
        .flatMap((line) => /^ {2}(\S+) /.exec(line)?.[1] ?? [])
        .map((noun) => [noun, group]),
    )
    const wanted = Object.entries(nouns).map(([noun, { group }]) => [noun, group])
    expect(listed).toEqual([...wanted, ['help', 'other']])
  })

  test.each(['reports', 'stats', 'admin users', 'dashboard'])(
    'of the noun %s ends with the global options',
    async (noun) => {
      const help = await helpOf(noun)
      expect(help.match(/^ {2}--server /gm)).toHaveLength(1)
      expect(help.trimEnd().split('\n\n').at(-1)).toMatch(/^Global options:\n/)
    },
  )

  test.each([
    ['reports upload', 'reports'],
    ['admin users add', 'admin users'],
  ])('of the verb %s points to the global options of its noun', async (verb, noun) => {
    const help = await helpOf(verb)
    expect(help).not.toMatch(/^ {2}--(server|json|jq) /m)
    expect(help).toMatch(new RegExp(`\n\nGlobal options: relt ${noun} --help\n$`))
  })

  test.each(['', 'reports', 'reports upload', 'admin users add', 'version'])(
    'is shown by relt help %s',
    async (line) => {
      const asked = await relt(`help ${line}`.trim())
      expect(asked).toEqual({ code: 0, stdout: await helpOf(line), stderr: '' })
      expect(asked.stdout).toMatch(new RegExp(`^Usage: relt ${line}`.trim()))
    },
  )

  test('of an alias is that of its command', async () => {
    const home = temporaryFolder()
    await runCli(['alias', 'set', 'diff', 'reports compare --min-severity high'], { home })
    expect(await runCli(['help', 'diff'], { home, columns: 80 })).toMatchObject({
      stdout: await helpOf('reports compare'),
    })
  })

  test.each(['help nope', 'help reports nope'])('fails for %s', async (line) => {
    expect(await relt(line)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('"nope"') })
  })
})

describe('a misspelt command', () => {
  test.each([
    ['upload', 'Did you mean `relt reports upload`?'],
    ['uplaod', 'Did you mean `relt reports upload`?'],
    ['serch argo', 'Did you mean `relt projects search`?'],
    ['report list', 'Did you mean `relt reports`?'],
    ['reports lst', 'Did you mean `relt reports list`?'],
    ['projects add', 'Did you mean `relt exceptions add`, `relt catalog add` or `relt subs add`?'],
    ['admin users lst', 'Did you mean `relt admin users list`?'],
    ['catalog --data nowhere stauts', 'Did you mean `relt catalog status`?'],
    ['zzzz', 'Run `relt --help`.'],
    ['reports zzzz', 'Run `relt reports --help`.'],
    [`${'x'.repeat(50_000)}`, 'Run `relt --help`.'],
  ])('%s has a hint', async (line, hint) => {
    const { code, stdout, stderr } = await runCli(line.split(' '), { home })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^error: Unknown command "/)
    expect(stderr.replace(/\s+/g, ' ')).toContain(`hint: ${hint}`)
  })

  test('is one JSON error with --json', async () => {
    expect(JSON.parse((await runCli(['upload', '--json'], { home })).stderr).error).toMatchObject({
      code: 'relt_usage',
      message: 'Unknown command "upload" for `relt`.',
      hint: 'Did you mean `relt reports upload`?',
    })
  })
})

test('configs is another name of profiles', async () => {
  expect(await relt('configs list --json')).toEqual(await relt('profiles list --json'))
  expect(await relt('--local configs --help')).toMatchObject({ stdout: await helpOf('profiles') })
  expect((await relt('__complete : configs')).stdout).toContain('bootstrap\t')
  expect((await relt('__complete :config')).stdout).not.toContain('configs')
  expect(await relt('alias set configs stats')).toMatchObject({ code: 2, stderr: expect.stringContaining('command') })
})
