import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseTeam } from './current.ts'
import { memberColumns } from './view.ts'

export function createCommand(context: Context, run = runMembers): Command {
  return newCommand('members', 'List the members of a team', [
    'relt teams members',
    'relt teams members platform -o csv',
  ])
    .argument('[team]', 'team name (default: the team that you act for)')
    .action((team, _options, command) => run(cliOf(context, command), team))
}

export async function runMembers(cli: Cli, named: string | undefined): Promise<void> {
  const team = await chooseTeam(cli, named)
  const found = await (await cli.context.client()).call('getTeam', { params: { team } })
  await show(cli, { body: found, rows: found.items, columns: memberColumns })
}
