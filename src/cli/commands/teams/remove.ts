import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseTeam } from './current.ts'

export function createCommand(context: Context, run = runRemove): Command {
  return newCommand('remove', 'Remove a member from your team; the runs stay with the team', [
    'relt teams remove grace',
    'relt teams remove ci --team platform --json',
  ])
    .argument('<login>', 'login name of the member')
    .action((login, _options, command) => run(cliOf(context, command), login))
}

export async function runRemove(cli: Cli, login: string): Promise<void> {
  const team = await chooseTeam(cli)
  const client = await cli.context.client()
  const answer = await client.call('removeTeamMember', { params: { team, login } })
  await sayDone(cli, `Removed ${login} from team ${team}`, answer)
}
