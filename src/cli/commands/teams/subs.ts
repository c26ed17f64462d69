import type { FollowedProject } from '../../../contract/team.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'

export default verb({
  name: 'subs',
  summary: 'List the projects that the members of a team follow',
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
        { title: 'Project', value: ({ name }) => name, min: 8 },
        { title: 'Followed by', value: ({ followers }) => followers.join(', '), min: 10 },
      ],
      page: found,
      empty: `No member of ${team} follows a project.`,
    })
  },
})
