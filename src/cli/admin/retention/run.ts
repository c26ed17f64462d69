import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { newCommand } from '../../command.ts'
import { printJson } from '../../json.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runRetention): Command {
  return newCommand('run', 'Remove what is older than it is kept', [
    'relt admin retention run',
    'relt admin retention run --data /var/lib/relt',
  ]).action((_, command) => run(adminCliOf(context, command)))
}

export async function runRetention({ admin, io, json }: AdminCli): Promise<void> {
  const { days, removed } = await (await admin()).applyRetention()
  if (json) return printJson(io, { success: true, days, removed })
  for (const [kind, one, many] of names) {
    const count = removed[kind]
    const told =
      days[kind] === 0
        ? `Kept every ${one}`
        : `Removed ${count} ${count === 1 ? one : many} older than ${days[kind]} days`
    io.err(`${io.errColor.green('✓')} ${told}\n`)
  }
}

const names = [
  ['runs', 'run', 'runs'],
  ['deliveries', 'delivery', 'deliveries'],
  ['audit', 'audit entry', 'audit entries'],
] as const
