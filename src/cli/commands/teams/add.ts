import { teamRoles } from '../../../contract/choices.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { chooseTeam } from './current.ts'

export default verb({
  name: 'add',
  summary: 'Add a member to your team (owners only)',
  examples: ['relt teams add grace', 'relt teams add ci --role member --team platform'],
  args: [['<login>', 'login name of the account']],
  options: {
    '--role <role>': {
      help: 'viewers read, members also upload and edit, owners also delete (default: viewer)',
      choices: teamRoles,
    },
  },
  run: async (cli, login, { role = 'viewer' }) => {
    const team = await chooseTeam(cli)
    const client = await cli.context.client()
    const answer = await client.call('addTeamMember', { params: { team }, body: { login, role } })
    await sayDone(cli, `Added ${login} to team ${team} as ${role}`, answer)
  },
})
