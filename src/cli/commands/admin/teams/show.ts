import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { remarksOf, renderTeam } from './view.ts'

export function createCommand(context: Context, run = runShow): Command {
  return newCommand('show', 'Show a team and its members', [
    'relt admin teams show platform',
    'relt admin teams show platform --json',
  ])
    .argument('<team>', 'team name')
    .action((name, _, command) => run(adminCliOf(context, command), name))
}

export async function runShow(cli: AdminCli, name: string): Promise<void> {
  const team = await (await (await cli.admin()).teams()).get(name)
  await show(cli, { body: team, text: (io) => renderTeam(io, team), remarks: remarksOf(team) })
}
