import { roles } from '../../../../contract/choices.ts'
import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'set-role',
  summary: 'Change the role of a user',
  examples: ['relt admin users set-role ada admin', 'relt admin users set-role ada user'],
  args: [
    ['<name>', 'login name'],
    ['<role>', 'role; admins can also change the catalog', { choices: roles }],
  ],
  run: async (cli, login, role) => {
    const account = await (await openAdmin(cli)).setRole(login, role)
    await sayDone(cli, `Changed the role of ${login} to ${account.role}`, account)
  },
})
