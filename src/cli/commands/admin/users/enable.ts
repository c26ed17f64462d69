import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'enable',
  summary: 'Enable a user that was disabled',
  examples: ['relt admin users enable ada'],
  args: [['<name>', 'login name']],
  run: async (cli, login) => {
    const account = await (await openAdmin(cli)).enableUser(login)
    await sayDone(cli, `Enabled ${login}: their keys, password and feeds work again`, account)
  },
})
