import { show } from '../../../output/output.ts'
import { verb } from '../../../program/verb.ts'
import { openAdmin } from '../command.ts'
import { teamColumns } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List teams',
  examples: ['relt admin teams list', 'relt admin teams list --data /var/lib/relt'],
  run: async (cli) => {
    const teams = await (await (await openAdmin(cli)).teams()).list()
    const empty = 'No teams yet. Create one: relt admin teams create NAME --owner LOGIN'
    await show(cli, { body: { success: true, items: teams }, rows: teams, columns: teamColumns, empty })
  },
})
