import type { FollowedProject } from '../../../contract/team.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'
import { followedBy } from './view.ts'

export default verb({
  name: 'subs',
  summary: 'List the projects that a team and its members follow',
  examples: ['relt teams subs', 'relt teams subs platform -o csv'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  options: pageOptions,
  run: async (cli, named, options) => {
    const team = await chooseTeam(cli, named)
    const client = await cli.context.client()
    const found = await client.call('listTeamSubscriptions', { params: { team }, query: pageQuery(options) })
    await show<FollowedProject>(cli, {
      body: found,
      rows: found.items,
      columns: () => [
        { title: titles.project, value: ({ name }) => name, min: 8 },
        { title: 'Followed by', value: followedBy, min: 10 },
      ],
      page: found,
      empty: `Neither ${team} nor a member follows a project. Follow one: relt subs add PROJECT --team ${team}`,
    })
  },
})
