import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { type Cli, cliOf, newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { addStoreOption, type StoreOptions } from '../store-option.ts'

export function createCommand(context: Context, run = runRetention): Command {
  const command = newCommand('run', 'Remove the runs that are older than they are kept', [
    'relt admin retention run',
    'relt admin retention run --data /var/lib/relt',
  ])
  return addStoreOption(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runRetention({ context, io, json }: Cli, options: StoreOptions): Promise<void> {
  const { days, removed } = await (await context.admin(options.data)).applyRetention()
  if (json) return printJson(io, { success: true, days, removed })
  if (days === 0) return io.err('Every run is kept (RELT_RETENTION_DAYS is 0).\n')
  io.err(`${io.errColor.green('✓')} Removed ${removed} ${removed === 1 ? 'run' : 'runs'} older than ${days} days\n`)
}
