import type { Command } from 'commander'
import type { RouteCaller } from '../../client/client.ts'
import type { Context } from '../../context.ts'
import { ReltError } from '../../errors.ts'
import type { TableOptions } from '../../render/terminal/table.ts'
import { createIo, type Io } from '../output/io.ts'
import { traceCalls } from './verbose.ts'

/** Options of every command, before or after its name. */
export interface GlobalOptions {
  local?: boolean
  server?: string
  team?: string
  insecureHttp?: boolean
  output?: string
  json?: boolean
  jq?: string
  color: boolean
  quiet?: boolean
  verbose?: boolean
  columns?: string
  sortBy?: string
  headers: boolean
  /** Folder of the store, for nouns with this option. */
  data?: string
  /** Login of the user of the store to act as, for nouns with this option. */
  as?: string
}

/** Context of a verb. Calls the selected server, or the local store. */
export interface Cli extends RouteCaller {
  context: Context
  io: Io
  /** Global options of the command line. */
  flags: GlobalOptions
  /** One of `formats`, such as `table`. */
  format: string
  /** The format is JSON. */
  json: boolean
  /** The jq program to apply to the JSON. */
  jq: string | undefined
  /** Cells are not shortened. */
  wide: boolean
  table: TableOptions
}

/** Call it inside an action, when the options have been parsed. */
export function toCli(context: Context, command: Command): Cli {
  const options = command.optsWithGlobals<GlobalOptions>()
  const { color, jq, quiet, verbose, headers = true } = options
  const asked = toFormat(options)
  const wide = asked === 'wide'
  const format = wide ? 'table' : asked
  const io = createIo(context, { color, quiet: quiet === true, wide })
  const table: TableOptions = { columns: options.columns, sortBy: options.sortBy, headers }
  refuseTableOptions(format, table)
  const shown = verbose ? traceCalls(context, io) : context
  const call: RouteCaller['call'] = async (...request) => (await shown.client()).call(...request)
  return { context: shown, call, io, flags: options, format, json: format === 'json', jq, wide, table }
}

/** Runs before any work: JSON and YAML contain the whole answer. */
function refuseTableOptions(format: string, { columns, sortBy, headers }: TableOptions) {
  const asked = columns !== undefined ? '--columns' : sortBy !== undefined ? '--sort-by' : headers ? '' : '--no-headers'
  if (!asked || (format !== 'json' && format !== 'yaml')) return
  throw new ReltError('usage', `${asked} and ${format === 'json' ? 'JSON' : 'YAML'} cannot be combined.`, {
    hint: 'Choose members with --jq.',
  })
}

function toFormat({ output, json, jq }: GlobalOptions) {
  const asked = json ? '--json' : jq !== undefined && '--jq'
  if (asked && output !== undefined && output !== 'json') {
    throw new ReltError('usage', `${asked} and --output ${output} cannot be combined.`, { hint: 'Use one of them.' })
  }
  return output ?? (asked ? 'json' : 'table')
}
