import type { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import demoVerb from '../../src/cli/commands/demo/index.ts'
import { createProgram } from '../../src/cli/program/root.ts'
import { version } from '../../src/version.ts'
import { runCli, temporaryFolder } from '../helpers/cli.ts'
import { folderOfFile, parse } from '../helpers/output.ts'

const home = folderOfFile()
const context = {
  env: {},
  stdin: {},
  stdout: {},
  stderr: {},
  settings: async () => ({}),
  select: () => {},
  server: async () => undefined,
} as unknown as Parameters<typeof createProgram>[0]
const program = await createProgram(context, [], { loadAll: true })

const commands: [name: string, command: Command][] = []
collect(program, [])

function collect(command: Command, above: string[]): void {
  for (const child of command.commands) {
    const words = [...above, child.name()]
    commands.push([words.join(' '), child])
    collect(child, words)
  }
}

/** The command that a line of shell calls; nothing is done. */
async function called(line: string): Promise<string | undefined> {
  let name: string | undefined
  for (const [words, command] of commands.filter(([, command]) => command.commands.length === 0)) {
    command.action(() => {
      name = words
    })
  }
  const argv = line.match(/"[^"]*"|'[^']*'|\S+/g)!.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'))
  await program.parseAsync(argv.slice(1), { from: 'user' })
  return name
}

test('help shows one default of an option', () => {
  for (const [name, command] of commands) {
    for (const option of command.createHelp().visibleOptions(command)) {
      const shown = command.createHelp().optionDescription(option)
      expect([name, option.flags, shown.match(/\(default/g)?.length ?? 0]).toEqual([
        name,
        option.flags,
        expect.toSatisfy((n: number) => n < 2),
      ])
    }
  }
})

test.each(commands)('%s has a description', (_, command) => {
  expect(command.description()).toMatch(/^[A-Z][a-z-]+,? .{3,}[^.]$/)
})

describe.each(commands)('relt %s --help', (name, command) => {
  const help = async () => {
    const { code, stdout, stderr } = await runCli([...name.split(' '), '--help'], { home })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  test('says what it does', async () => {
    expect(await help()).toContain(command.description())
  })

  test('shows examples that work', async () => {
    const examples = (await help()).match(/(?<=\$ |\| )relt [^>|\n]*/g) ?? []
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) expect(`${await called(example)} `.startsWith(`${name} `)).toBe(true)
  })

  test('leads to the global options', async () => {
    expect(await help()).toMatch(/^ {2}--json |\nGlobal options: relt .* --help\n$/m)
  })
})

test.each(['--version', '-V'])('relt %s tells the version', async (option) => {
  expect(await runCli([option], { home })).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
})

test('relt alone shows its help', async () => {
  const { stdout, stderr } = await runCli([], { home: temporaryFolder() })
  expect(stdout + stderr).toMatch(/^Usage: relt \[options\] \[command\]\n/)
})

test('demo takes no arguments', async () => {
  expect(await parse(demoVerb, [])).toEqual([{ pause: true }])
  expect(await parse(demoVerb, ['--no-pause'])).toEqual([{ pause: false }])
  await expect(parse(demoVerb, ['x'])).rejects.toThrow('too many arguments')
})
