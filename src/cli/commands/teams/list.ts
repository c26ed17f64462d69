import type { Membership } from '../../../contract/team.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { findTeams } from './current.ts'

export default verb({
  name: 'list',
  summary: 'List your teams and your role in each',
  examples: ['relt teams list', 'relt teams list --json'],
  run: async (cli) => {
    const { current, teams } = await findTeams(cli)
    await show(cli, {
      body: { success: true, team: current, teams },
      rows: teams,
      columns: ({ color }: Io): Column<Membership>[] => [
        { title: titles.team, value: ({ name }) => name, style: (cell) => color.bold(cell), min: 8, isName: true },
        { title: titles.role, value: ({ role }) => role },
        { title: 'Default', value: ({ is_default }) => (is_default ? 'yes' : 'no') },
        { title: titles.current, value: ({ name }) => (name === current?.name ? 'yes' : 'no') },
      ],
      empty: 'You are in no team. Clusters, runs and profiles belong to your own account.',
    })
  },
})
