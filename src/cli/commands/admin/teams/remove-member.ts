import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { remarksOf } from './view.ts'

export function createCommand(context: Context, run = runRemoveMember): Command {
  return newCommand('remove-member', 'Remove a user from a team; the runs stay with the team', [
    'relt admin teams remove-member platform grace',
    'relt admin teams remove-member platform ci --json',
  ])
    .argument('<team>', 'team name')
    .argument('<login>', 'login name')
    .action((name, login, _, command) => run(adminCliOf(context, command), name, login))
}

export async function runRemoveMember(cli: AdminCli, name: string, login: string): Promise<void> {
  const team = await (await (await cli.admin()).teams()).removeMember(name, login)
  say(cli, `Removed ${login} from team ${name}`)
  await show(cli, { body: team, remarks: remarksOf(team) })
}
