import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'set-email',
  summary: 'Change the email address of a user',
  examples: ['relt admin users set-email ada ada@shop.example', 'relt admin users set-email ada ""'],
  args: [
    ['<name>', 'login name; `local` is the user of this machine'],
    ['<address>', 'address for notifications; empty: none'],
  ],
  run: async (cli, login, address) => {
    const account = await (await openAdmin(cli)).setEmail(login, address === '' ? null : address)
    await sayDone(
      cli,
      `${login} ${account.email === null ? 'has no email address now' : `has ${account.email} now`}`,
      account,
    )
  },
})
