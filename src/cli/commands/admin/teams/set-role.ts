import { Argument, type Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { teamRoles } from '../../../../contract/choices.ts'
import type { TeamRole } from '../../../../contract/team.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { remarksOf } from './view.ts'

export function createCommand(context: Context, run = runSetRole): Command {
  return newCommand('set-role', 'Change the role of a member', [
    'relt admin teams set-role platform grace viewer',
    'relt admin teams set-role platform ada owner',
  ])
    .argument('<team>', 'team name')
    .argument('<login>', 'login name')
    .addArgument(
      new Argument('<role>', 'viewers read, members also upload and edit, owners also delete').choices(teamRoles),
    )
    .action((name, login, role, _, command) => run(adminCliOf(context, command), name, { login, role }))
}

export async function runSetRole(
  cli: AdminCli,
  name: string,
  { login, role }: { login: string; role: TeamRole },
): Promise<void> {
  const team = await (await (await cli.admin()).teams()).setRole(name, login, role)
  say(cli, `Changed the role of ${login} in team ${name} to ${role}`)
  await show(cli, { body: team, remarks: remarksOf(team) })
}
