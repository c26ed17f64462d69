import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runRetention): Command {
  return newCommand('run', 'Remove the runs that are older than they are kept', [
    'relt admin retention run',
    'relt admin retention run --data /var/lib/relt',
  ]).action((_, command) => run(adminCliOf(context, command)))
}

export async function runRetention({ admin, io, json }: AdminCli): Promise<void> {
  const { days, removed } = await (await admin()).applyRetention()
  if (json) return printJson(io, { success: true, days, removed })
  if (days === 0) return io.err('Every run is kept (RELT_RETENTION_DAYS is 0).\n')
  io.err(`${io.errColor.green('✓')} Removed ${removed} ${removed === 1 ? 'run' : 'runs'} older than ${days} days\n`)
}
