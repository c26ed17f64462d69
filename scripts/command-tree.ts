import { Writable } from 'node:stream'
import type { Argument, Command, Option } from 'commander'
import { defaultVerbFor, examplesFor } from '../src/cli/program/help.ts'
import { createProgram, runCommand } from '../src/cli/program/root.ts'
import type { Context } from '../src/context.ts'

export interface CommandDocs {
  /** `relt projects search`. */
  name: string
  summary: string
  usage: string
  arguments: { term: string; description: string }[]
  options: { term: string; description: string }[]
  examples: string[]
  /** Names of the verbs, for a noun. */
  verbs: string[]
  /** The verb that a noun runs by itself. */
  defaultVerb?: string | undefined
}

/** What `relt --help` prints on a terminal of 80 columns. */
export async function programHelp(): Promise<string> {
  let text = ''
  const stdout = new Writable({
    write: (chunk, _encoding, done) => {
      text += chunk
      done()
    },
  })
  const terminal = Object.assign(stdout, { isTTY: true, columns: 80 })
  const context = { env: { NO_COLOR: '1' }, stdin: process.stdin, stdout: terminal, stderr: terminal }
  await runCommand(context as unknown as Context, ['--help'])
  return text
}

/** Every command of the program, the program itself first. */
export async function commandTree(): Promise<CommandDocs[]> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const context = { env: {}, stdin: process.stdin, stdout: nowhere, stderr: nowhere } as unknown as Context
  const program = await createProgram(context, [], { loadAll: true })
  return [...walk(program, 'relt')]
}

function* walk(command: Command, name: string): Generator<CommandDocs> {
  yield {
    name,
    summary: command.description(),
    usage: `${name} ${command.usage()}`.trim(),
    arguments: command.registeredArguments.map((each) => ({ term: each.name(), description: describe(each) })),
    options: command.options
      .filter((option) => !option.hidden)
      .map((option) => ({ term: option.flags, description: describe(option) })),
    examples: examplesFor(command),
    verbs: command.commands.map((child) => child.name()),
    defaultVerb: defaultVerbFor(command)?.name(),
  }
  for (const child of command.commands) yield* walk(child, `${name} ${child.name()}`)
}

function describe({ description, argChoices }: Pick<Option | Argument, 'description' | 'argChoices'>): string {
  return argChoices ? `${description} (${argChoices.join(', ')})` : description
}
