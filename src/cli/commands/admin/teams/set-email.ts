import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'set-email',
  summary: 'Change the email address of a team',
  examples: [
    'relt admin teams set-email platform platform@shop.example',
    'relt admin teams set-email platform "" --json',
  ],
  args: [
    ['<team>', 'team name'],
    ['<address>', 'address for notifications of the team; empty: none'],
  ],
  run: async (cli, name, address) => {
    const team = await (await (await openAdmin(cli)).teams()).setEmail(name, address === '' ? null : address)
    const said = team.email === null ? 'has no email address now' : `has ${team.email} now`
    await sayDone(cli, `Team ${name} ${said}`, team)
  },
})
