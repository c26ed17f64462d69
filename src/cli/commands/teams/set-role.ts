import { Argument, type Command } from 'commander'
import type { Context } from '../../../context.ts'
import { teamRoles } from '../../../contract/choices.ts'
import type { TeamRole } from '../../../contract/team.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseTeam } from './current.ts'

export function createCommand(context: Context, run = runSetRole): Command {
  return newCommand('set-role', 'Change the role of a member of your team', [
    'relt teams set-role grace member',
    'relt teams set-role ada owner --team platform',
  ])
    .argument('<login>', 'login name of the member')
    .addArgument(
      new Argument('<role>', 'viewers read, members also upload and edit, owners also delete').choices(teamRoles),
    )
    .action((login, role, _options, command) => run(cliOf(context, command), login, role))
}

export async function runSetRole(cli: Cli, login: string, role: TeamRole): Promise<void> {
  const team = await chooseTeam(cli)
  const client = await cli.context.client()
  const answer = await client.call('setTeamRole', { params: { team, login }, body: { role } })
  await sayDone(cli, `Changed the role of ${login} in team ${team} to ${role}`, answer)
}
