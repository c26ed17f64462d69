import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expandAlias } from '../../../../src/cli/commands/alias/expand.ts'
import { splitWords } from '../../../../src/cli/commands/alias/split-words.ts'
import { createProgram } from '../../../../src/cli/program/root.ts'
import { valuedOptions } from '../../../../src/cli/program/words.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'
import { runCli, temporaryFolder } from '../../../helpers/cli.ts'

describe('the words of a line', () => {
  test.each([
    ['reports  list', ['reports', 'list']],
    [`--jq '.items[] | .name'`, ['--jq', '.items[] | .name']],
    [`"a \\"b\\" c"d`, ['a "b" cd']],
    [`a\\ b '' ""`, ['a b', '', '']],
    ['  ', []],
  ])('%s', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  test.each([`'a`, `"a\\"`, 'a\\'])('%s has no end', (line) => {
    expect(() => splitWords(line)).toThrow('Unclosed ')
  })

  test('come back as they were quoted', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: anyCharacter })), (words) => {
        const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
        expect(splitWords(line)).toEqual(words)
      }),
    )
  })
})

describe('an alias in full', () => {
  const isCommand = (name: string) => name === 'reports'
  const expand = (argv: string[], aliases: Record<string, string>) =>
    expandAlias(argv, new Map(Object.entries(aliases)), isCommand)

  test.each<[string[], Record<string, string>, string[]]>([
    [['f', '--json'], { f: 'reports freshness' }, ['reports', 'freshness', '--json']],
    [['--server', 'f', 'f'], { f: 'reports list' }, ['--server', 'f', 'reports', 'list']],
    [['d', 'a b', 'c', 'd'], { d: 'reports --to=$2 --from $1' }, ['reports', '--to=c', '--from', 'a b', 'd']],
    [['d', '$2'], { d: 'reports $1' }, ['reports', '$2']],
    [['g', 'x'], { g: 'f --json', f: 'reports show' }, ['reports', 'show', '--json', 'x']],
    [['reports', 'x'], { reports: 'other' }, ['reports', 'x']],
    [['constructor'], {}, ['constructor']],
    [['--json'], { f: 'reports' }, ['--json']],
  ])('%j with %j', (argv, aliases, words) => {
    expect(expand(argv, aliases)).toEqual(words)
  })

  test('does not go round', () => {
    expect(() => expand(['a'], { a: 'b', b: '--json a x' })).toThrow('The alias a refers to itself.')
  })

  test('names how many arguments are missing', () => {
    expect(() => expand(['d', 'x'], { d: 'reports $1 $3' })).toThrow('The alias d needs 3 arguments but got 1.')
  })
})

test('the options whose values are no commands are those of the program', async () => {
  const program = await createProgram({ env: {}, stdin: {}, stdout: {}, stderr: {} } as never, [])
  const valued = program.options.filter((option) => option.required).flatMap(({ short, long }) => [short, long])
  expect(valuedOptions.toSorted()).toEqual(valued.filter((name) => name !== undefined).toSorted())
})

test('an alias is made, called, listed and taken away', async () => {
  const home = temporaryFolder()
  const run = (...argv: string[]) => runCli(argv, { home })
  expect(await run('alias', 'list')).toMatchObject({
    stdout: '',
    stderr: expect.stringContaining('No aliases yet'),
  })
  expect(await run('alias', 'set', 'key', 'config get $1')).toEqual({
    code: 0,
    stdout: '',
    stderr: '✓ relt key now runs relt config get $1\n',
  })
  expect(await run('key', 'timeout')).toEqual({ code: 0, stdout: '120\n', stderr: '' })
  expect(await run('--json', 'key', 'timeout')).toMatchObject({ stdout: expect.stringMatching(/^\{"key":"timeout"/) })
  expect(await run('alias', 'list', '--json')).toMatchObject({
    stdout: '{"success":true,"items":[{"name":"key","command":"config get $1"}]}\n',
  })
  await run('config', 'set', 'timeout', '30')
  expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({
    timeout: 30,
    aliases: { key: 'config get $1' },
  })
  expect(await run('__complete', ':ke')).toMatchObject({
    stdout: expect.stringMatching(/^keys\t.*\nkey\tconfig get \$1\n$/),
  })
  expect(await run('alias', 'delete', 'key')).toMatchObject({ code: 0, stderr: '✓ Deleted the alias key\n' })
  expect(await run('key', 'timeout')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Unknown command "key"'),
  })
  expect(await run('alias', 'delete', 'key')).toMatchObject({ code: 3 })
})

test('behind an alias the words of its command are completed', async () => {
  const home = temporaryFolder()
  await runCli(['alias', 'set', 'helm', 'projects releases --type'], { home })
  expect(await runCli(['__complete', ':he', 'helm'], { home })).toMatchObject({ stdout: 'helm\t\n' })
})

test.each([
  [['reports', 'stats'], 'reports is already a relt command.'],
  [['help', 'stats'], 'help is already a relt command.'],
  [['ls', '!ls -l'], 'An alias runs a relt command and cannot run a shell command.'],
  [['__proto__', 'stats'], 'The name of the alias is invalid.'],
  [['a', 'a\nb'], 'The command of the alias is invalid.'],
  [['a', 'nothing at all'], 'Unknown command "nothing" in the alias a.'],
  [['a', 'a --json'], 'The alias a refers to itself.'],
  [['a', "stats 'x"], `Unclosed ' in "stats 'x".`],
  [['a', '""'], 'Unknown command "" in the alias a.'],
  [['a', ' '], 'The alias is empty.'],
])('alias set %j is refused', async (words, message) => {
  const home = temporaryFolder()
  const { code, stderr } = await runCli(['alias', 'set', ...words], { home })
  expect({ code, message: stderr.split('\n')[0] }).toEqual({ code: 2, message: `error: ${message}` })
  expect(await runCli(['alias', 'list', '--json'], { home })).toMatchObject({ stdout: '{"success":true,"items":[]}\n' })
})

test.each([
  [{ aliases: [] }, 'aliases: an object is needed'],
  [{ aliases: { a: 1 } }, 'aliases.a: a text is needed'],
  [{ aliases: { '-a': 'stats' } }, 'aliases.-a: a name of letters'],
])('a file with %j is not used, and a command does not need it', async (config, why) => {
  const home = temporaryFolder()
  writeFileSync(join(home, 'config.json'), JSON.stringify(config))
  expect(await runCli(['fresh'], { home })).toMatchObject({ code: 2, stderr: expect.stringContaining(why) })
  expect(await runCli(['completion', 'bash'], { home })).toMatchObject({ code: 0, stderr: '' })
})
