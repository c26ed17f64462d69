import { type Command, Option } from 'commander'
import type { Context } from '../../../../context.ts'
import { teamRoles } from '../../../../contract/choices.ts'
import type { TeamRole } from '../../../../contract/team.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { remarksOf } from './view.ts'

export interface AddMemberOptions {
  role: TeamRole
  default?: boolean
}

export function createCommand(context: Context, run = runAddMember): Command {
  return newCommand('add-member', 'Add a user to a team', [
    'relt admin teams add-member platform grace',
    'relt admin teams add-member platform ci --role member --default',
  ])
    .argument('<team>', 'team name')
    .argument('<login>', 'login name')
    .addOption(
      new Option('--role <role>', 'viewers read, members also upload and edit, owners also delete')
        .choices(teamRoles)
        .default('member'),
    )
    .option('--default', "make it the user's default team; the first team always is")
    .action((name, login, options, command) => run(adminCliOf(context, command), name, login, options))
}

export async function runAddMember(
  cli: AdminCli,
  name: string,
  login: string,
  { role, default: isDefault = false }: AddMemberOptions,
): Promise<void> {
  const team = await (await (await cli.admin()).teams()).addMember(name, login, { role, isDefault })
  say(cli, `Added ${login} to team ${name} as ${role}`)
  const own = `Earlier runs of ${login} stay private until you run: relt admin adopt --user ${login} --team ${name}`
  await show(cli, { body: team, remarks: remarksOf(team), note: own })
}
