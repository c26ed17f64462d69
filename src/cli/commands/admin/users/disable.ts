import { count } from '../../../../util/words.ts'
import { show } from '../../../output/output.ts'
import { say } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'disable',
  summary: 'Disable a user: keys, password, sessions and feeds stop working',
  examples: ['relt admin users disable ada', 'relt admin users disable ada --end-made'],
  args: [['<name>', 'login name']],
  options: {
    '--end-made': 'also remove all keys, feeds and webhooks of the user for good',
  },
  run: async (cli, login, { endMade = false }) => {
    const { account, ended } = await (await openAdmin(cli)).disableUser(login, { endMade })
    const removed = ended
      ? `: removed ${count(ended.keys, 'key')}, ${count(ended.feeds, 'feed')} and ${count(ended.webhooks, 'webhook')}`
      : ''
    say(cli, `Disabled ${login}${removed}`)
    await show(cli, {
      body: { ...account, ...(ended && { ended }) },
      note: [`Enable the account again: relt admin users enable ${login}`],
    })
  },
})
