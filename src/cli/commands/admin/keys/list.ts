import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { keyColumns } from '../../keys/view.ts'
import { openAdmin } from '../command.ts'

export default verb({
  name: 'list',
  summary: 'List API keys of a user',
  examples: ['relt admin keys list ada', 'relt admin keys list ada --json'],
  args: [['<user>', 'login name']],
  run: async (cli, login) => {
    const keys = await (await openAdmin(cli)).listKeys(login)
    await show(cli, {
      body: { success: true, items: keys },
      rows: keys,
      columns: keyColumns,
      empty: `${login} has no keys.`,
    })
  },
})
