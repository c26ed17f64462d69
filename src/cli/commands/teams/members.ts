import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'
import { memberColumns } from './view.ts'

export default verb({
  name: 'members',
  summary: 'List the members of a team',
  examples: ['relt teams members', 'relt teams members platform -o csv'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  run: async (cli, named) => {
    const team = await chooseTeam(cli, named)
    const found = await (await cli.context.client()).call('getTeam', { params: { team } })
    await show(cli, { body: found, rows: found.items, columns: memberColumns })
  },
})
