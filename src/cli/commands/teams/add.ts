import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { teamRoles } from '../../../contract/choices.ts'
import type { TeamRole } from '../../../contract/team.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseTeam } from './current.ts'

export function createCommand(context: Context, run = runAdd): Command {
  return newCommand('add', 'Add a member to your team (owners only)', [
    'relt teams add grace',
    'relt teams add ci --role member --team platform',
  ])
    .argument('<login>', 'login name of the account')
    .addOption(
      new Option(
        '--role <role>',
        'viewers read, members also upload and edit, owners also delete (default: viewer)',
      ).choices(teamRoles),
    )
    .action((login, options, command) => run(cliOf(context, command), login, options))
}

export async function runAdd(cli: Cli, login: string, { role = 'viewer' }: { role?: TeamRole }): Promise<void> {
  const team = await chooseTeam(cli)
  const client = await cli.context.client()
  const answer = await client.call('addTeamMember', { params: { team }, body: { login, role } })
  await sayDone(cli, `Added ${login} to team ${team} as ${role}`, answer)
}
