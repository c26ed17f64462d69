import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { teamColumns } from './view.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List teams', [
    'relt admin teams list',
    'relt admin teams list --data /var/lib/relt',
  ]).action((_, command) => run(adminCliOf(context, command)))
}

export async function runList(cli: AdminCli): Promise<void> {
  const teams = await (await (await cli.admin()).teams()).list()
  const empty = 'No teams yet. Create one: relt admin teams create NAME --owner LOGIN'
  await show(cli, { body: { teams }, rows: teams, columns: teamColumns, empty })
}
