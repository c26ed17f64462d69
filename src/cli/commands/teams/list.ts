import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { Membership } from '../../../contract/team.ts'
import type { Column } from '../../../render/terminal/table.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findTeams } from './current.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List your teams and your role in each', [
    'relt teams list',
    'relt teams list --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runList(cli: Cli): Promise<void> {
  const { current, teams } = await findTeams(cli)
  await show(cli, {
    body: { success: true, team: current, teams },
    rows: teams,
    columns: ({ color }: Io): Column<Membership>[] => [
      { title: 'Team', value: ({ name }) => name, style: (cell) => color.bold(cell), min: 8, isName: true },
      { title: 'Role', value: ({ role }) => role },
      { title: 'Default', value: ({ is_default }) => (is_default ? 'yes' : 'no') },
      { title: 'Current', value: ({ name }) => (name === current?.name ? 'yes' : 'no') },
    ],
    empty: 'You are in no team. Clusters, runs and profiles belong to your own account.',
  })
}
