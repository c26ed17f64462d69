import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { renderAccount } from './view.ts'

export default verb({
  name: 'show',
  summary: 'Show a user',
  examples: ['relt admin users show ada', 'relt admin users show ada --json'],
  args: [['<name>', 'login name']],
  run: async (cli, login) => {
    const account = await (await openAdmin(cli)).getUser(login)
    await show(cli, { body: account, text: (io) => renderAccount(io, account) })
  },
})
