import { confirm, yesOption } from '../../../input/prompt.ts'
import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'remove',
  summary: 'Remove a user and all their data',
  examples: ['relt admin users remove ada', 'relt admin users remove ada --yes'],
  args: [['<name>', 'login name']],
  options: yesOption,
  run: async (cli, login, options) => {
    const store = await openAdmin(cli)
    await store.getUser(login)
    await confirm(cli, options, `Permanently remove ${login} with all keys, reports and scan profiles?`)
    await store.removeUser(login)
    await sayDone(cli, `Removed ${login}`, { success: true })
  },
})
