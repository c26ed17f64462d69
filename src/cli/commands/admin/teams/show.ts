import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { formatRemarks, renderTeam } from './view.ts'

export default verb({
  name: 'show',
  summary: 'Show a team and its members',
  examples: ['relt admin teams show platform', 'relt admin teams show platform --json'],
  args: [['<team>', 'team name']],
  run: async (cli, name) => {
    const team = await (await (await openAdmin(cli)).teams()).get(name)
    await show(cli, { body: team, text: (io) => renderTeam(io, team), remarks: formatRemarks(team) })
  },
})
