import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'
import { renderTeam } from './view.ts'

export default verb({
  name: 'show',
  summary: 'Show a team and its members',
  examples: ['relt teams show', 'relt teams show platform --json'],
  args: [['[team]', 'team name (default: the team that you act for)']],
  run: async (cli, named) => {
    const team = await chooseTeam(cli, named)
    const found = await (await cli.context.client()).call('getTeam', { params: { team } })
    await show(cli, { body: found, text: (io) => renderTeam(io, found) })
  },
})
