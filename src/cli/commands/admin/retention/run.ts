import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runRetention): Command {
  return newCommand('run', 'Delete runs, deliveries and audit entries past their retention', [
    'relt admin retention run',
    'relt admin retention run --data /var/lib/relt',
  ]).action((_, command) => run(adminCliOf(context, command)))
}

export async function runRetention(cli: AdminCli): Promise<void> {
  const { days, removed } = await (await cli.admin()).applyRetention()
  for (const [kind, one, many] of names) {
    const count = removed[kind]
    const message =
      days[kind] === 0
        ? `Nothing to delete: ${many}`
        : `Deleted ${count} ${count === 1 ? one : many} older than ${days[kind]} days`
    say(cli, message)
  }
  await show(cli, { body: { success: true, days, removed } })
}

const names = [
  ['runs', 'run', 'runs'],
  ['deliveries', 'delivery', 'deliveries'],
  ['audit', 'audit entry', 'audit entries'],
] as const
