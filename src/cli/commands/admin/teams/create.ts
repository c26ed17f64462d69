import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { formatRemarks } from './view.ts'

export default verb({
  name: 'create',
  summary: 'Create a team',
  examples: ['relt admin teams create platform --owner ada', 'relt admin teams create platform'],
  args: [['<name>', 'team name: lower-case letters, digits, dots, hyphens and underscores']],
  options: {
    '--owner <login>': 'user who becomes the first owner',
  },
  run: async (cli, name, { owner }) => {
    const team = await (await (await openAdmin(cli)).teams()).create(name, owner)
    say(cli, `Created team ${name}`)
    await show(cli, { body: team, remarks: formatRemarks(team) })
  },
})
