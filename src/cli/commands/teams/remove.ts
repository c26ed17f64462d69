import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'

export default verb({
  name: 'remove',
  summary: 'Remove a member from your team; the runs stay with the team',
  examples: ['relt teams remove grace', 'relt teams remove ci --team platform --json'],
  args: [['<login>', 'login name of the member']],
  run: async (cli, login) => {
    const team = await chooseTeam(cli)
    const client = await cli.context.client()
    const answer = await client.call('removeTeamMember', { params: { team, login } })
    await sayDone(cli, `Removed ${login} from team ${team}`, answer)
  },
})
