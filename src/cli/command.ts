import { Command } from 'commander'
import type { Context } from '../context.ts'
import { createIo, type Io } from './io.ts'

/** Options that every command takes, before or after its name. */
export interface GlobalOptions {
  local?: boolean
  json?: boolean
  color: boolean
  quiet?: boolean
}

/** What a verb gets to work with. */
export interface Cli {
  context: Context
  io: Io
  json: boolean
}

const examplesByCommand = new WeakMap<Command, string[]>()

/** As the help shows them, without the prompt. */
export function examplesOf(command: Command): string[] {
  return examplesByCommand.get(command) ?? []
}

export function newCommand(name: string, summary: string, examples: string[]): Command {
  const command = new Command(name)
  examplesByCommand.set(command, examples)
  return command
    .description(summary)
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', `\nExamples:\n${examples.map((example) => `  $ ${example}`).join('\n')}`)
}

/** Called inside an action: the options are parsed by then. */
export function cliOf(context: Context, command: Command): Cli {
  const options = command.optsWithGlobals<GlobalOptions>()
  return {
    context,
    json: options.json === true,
    io: createIo(context, { color: options.color, quiet: options.quiet === true }),
  }
}
