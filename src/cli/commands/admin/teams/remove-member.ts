import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { formatRemarks } from './view.ts'

export default verb({
  name: 'remove-member',
  summary: 'Remove a user from a team; the runs stay with the team',
  examples: ['relt admin teams remove-member platform grace', 'relt admin teams remove-member platform ci --json'],
  args: [
    ['<team>', 'team name'],
    ['<login>', 'login name'],
  ],
  run: async (cli, name, login) => {
    const team = await (await (await openAdmin(cli)).teams()).removeMember(name, login)
    say(cli, `Removed ${login} from team ${name}`)
    await show(cli, { body: team, remarks: formatRemarks(team) })
  },
})
