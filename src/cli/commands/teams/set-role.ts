import { teamRoles } from '../../../contract/choices.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'

export default verb({
  name: 'set-role',
  summary: 'Change the role of a member of your team',
  examples: ['relt teams set-role grace member', 'relt teams set-role ada owner --team platform'],
  args: [
    ['<login>', 'login name of the member'],
    ['<role>', 'viewers read, members also upload and edit, owners also delete', { choices: teamRoles }],
  ],
  run: async (cli, login, role) => {
    const team = await chooseTeam(cli)
    const client = await cli.context.client()
    const answer = await client.call('setTeamRole', { params: { team, login }, body: { role } })
    await sayDone(cli, `Changed the role of ${login} in team ${team} to ${role}`, answer)
  },
})
