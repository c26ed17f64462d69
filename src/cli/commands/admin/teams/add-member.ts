import { teamRoles } from '../../../../contract/choices.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { formatRemarks } from './view.ts'

export default verb({
  name: 'add-member',
  summary: 'Add a user to a team',
  examples: [
    'relt admin teams add-member platform grace',
    'relt admin teams add-member platform ci --role member --default',
  ],
  args: [
    ['<team>', 'team name'],
    ['<login>', 'login name'],
  ],
  options: {
    '--role <role>': {
      help: 'viewers read, members also upload and edit, owners also delete',
      choices: teamRoles,
      default: 'member',
    },
    '--default': "make it the user's default team; the first team always is",
  },
  run: async (cli, name, login, { role, default: isDefault = false }) => {
    const team = await (await (await openAdmin(cli)).teams()).addMember(name, login, { role, isDefault })
    say(cli, `Added ${login} to team ${name} as ${role}`)
    const own = `Earlier runs of ${login} stay private until you run: relt admin adopt --user ${login} --team ${name}`
    await show(cli, { body: team, remarks: formatRemarks(team), note: own })
  },
})
