import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { accountColumns } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List users',
  examples: ['relt admin users list', 'relt admin users list --data /var/lib/relt'],
  run: async (cli) => {
    const users = await (await openAdmin(cli)).listUsers()
    const empty = 'No users yet. Add one: relt admin users add NAME'
    await show(cli, { body: { success: true, items: users }, rows: users, columns: accountColumns, empty })
  },
})
