import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runRename): Command {
  return newCommand('rename', 'Rename a team', [
    'relt admin teams rename default platform',
    'relt admin teams rename platform infra --json',
  ])
    .argument('<team>', 'team name')
    .argument('<new-name>', 'new name')
    .action((name, newName, _, command) => run(adminCliOf(context, command), name, newName))
}

export async function runRename(cli: AdminCli, name: string, newName: string): Promise<void> {
  const team = await (await (await cli.admin()).teams()).rename(name, newName)
  await sayDone(cli, `Renamed team ${name} to ${newName}`, team)
}
