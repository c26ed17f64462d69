import { Command } from 'commander'
import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'
import { createIo, type Io } from '../output/io.ts'
import { formatHelp, setExamples } from './help.ts'
import { traceCalls } from './verbose.ts'

/** Options that every command takes, before or after its name. */
export interface GlobalOptions {
  local?: boolean
  server?: string
  team?: string
  insecureHttp?: boolean
  output?: string
  json?: boolean
  jq?: string
  color: boolean
  pager: boolean
  quiet?: boolean
  verbose?: boolean
}

/** Context of a verb. */
export interface Cli {
  context: Context
  io: Io
  /** One of `formats`. */
  format: string
  /** The format is JSON. */
  json: boolean
  /** The jq program for the JSON. */
  jq: string | undefined
  /** Long text may go through a pager. */
  pager: boolean
}

export function newCommand(name: string, summary: string, examples: string[]): Command {
  return newNoun(name, examples).description(summary)
}

/** A command directly below `relt`; its summary is in the table of nouns. */
export function newNoun(name: string, examples: string[]): Command {
  const command = new Command(name)
  setExamples(command, examples)
  return command.helpOption('-h, --help', 'show help').helpCommand(false).configureHelp({ formatHelp })
}

/** Called inside an action: the options are parsed by then. */
export function cliOf(context: Context, command: Command): Cli {
  const options = command.optsWithGlobals<GlobalOptions>()
  const { color, jq, pager, quiet, verbose } = options
  const format = formatOf(options)
  const io = createIo(context, { color, quiet: quiet === true })
  return { context: verbose ? traceCalls(context, io) : context, io, format, json: format === 'json', jq, pager }
}

function formatOf({ output, json, jq }: GlobalOptions): string {
  const asked = json ? '--json' : jq !== undefined && '--jq'
  if (asked && output !== undefined && output !== 'json') {
    throw new ReltError('usage', `${asked} and --output ${output} cannot be combined.`, { hint: 'Use one of them.' })
  }
  return output ?? (asked ? 'json' : 'table')
}
