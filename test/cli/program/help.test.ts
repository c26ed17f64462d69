import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { groupTitles, nouns } from '../../../src/cli/program/nouns.ts'
import { runCli } from '../../helpers/cli.ts'
import { folderOfFile } from '../../helpers/output.ts'

const home = folderOfFile()
const relt = (line: string) => runCli(line === '' ? [] : line.split(' '), { home, columns: 80 })
const helpFor = async (line: string) => (await relt(`${line} --help`.trim())).stdout

/** Lines of a section, without its title. */
function toSection(help: string, title: string): string[] {
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
})

describe('help', () => {
  test('lists every noun once, in its group', async () => {
    const help = (await relt('help --all')).stdout
    const listed = Object.entries(groupTitles).flatMap(([group, title]) =>
      toSection(help, title)
        .flatMap((line) => /^ {2}(\S+) /.exec(line)?.[1] ?? [])
        .map((noun) => [noun, group]),
    )
    const wanted = Object.entries(nouns).map(([noun, { group }]) => [noun, group])
    expect(listed.filter(([noun]) => noun !== 'help')).toEqual(wanted)
    expect(listed).toContainEqual(['help', 'other'])
  })

  test('lists at most 30 commands unless all are asked for', async () => {
    const help = await helpFor('')
    const listed = help.slice(0, help.indexOf('Global options:')).match(/^ {2}[a-z]+ /gm) ?? []
    expect(listed.length).toBeGreaterThan(20)
    expect(listed.length).toBeLessThanOrEqual(30)
    for (const noun of ['dashboard', 'stats', 'openapi']) {
      expect(listed).not.toContain(`  ${noun} `)
      expect(await relt(`${noun} --help`)).toMatchObject({ code: 0 })
    }
  })

  test('marks the verb that runs if none is named', async () => {
    expect(toSection(await helpFor('feed'), 'Commands').join(' ')).toMatch(/^ {2}show [^:]* \(default\) +publish /)
    expect(await helpFor('subs')).not.toContain('(default)')
  })

  test.each(['reports', 'stats', 'admin users', 'dashboard'])(
    'of the noun %s ends with the global options',
    async (noun) => {
      const help = await helpFor(noun)
      expect(help.match(/^ {2}--server /gm)).toHaveLength(1)
      expect(help.trimEnd().split('\n\n').at(-1)).toMatch(/^Global options:\n/)
    },
  )

  test.each([
    ['reports upload', 'reports'],
    ['admin users add', 'admin users'],
  ])('of the verb %s points to the global options of its noun', async (verb, noun) => {
    const help = await helpFor(verb)
    expect(help).not.toMatch(/^ {2}--(server|json|jq) /m)
    expect(help).toMatch(new RegExp(`\n\nGlobal options: relt ${noun} --help\n$`))
  })

  test.each(['', 'reports', 'reports upload', 'admin users add', 'version'])(
    'is shown by relt help %s',
    async (line) => {
      const asked = await relt(`help ${line}`.trim())
      expect(asked).toEqual({ code: 0, stdout: await helpFor(line), stderr: '' })
      expect(asked.stdout).toMatch(new RegExp(`^Usage: relt ${line}`.trim()))
    },
  )

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
