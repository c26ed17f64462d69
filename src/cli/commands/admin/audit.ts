import type { AuditEntry } from '../../../contract/account.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { show } from '../../output/output.ts'
import { pageOptions } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { openAdmin } from './command.ts'

export default verb({
  name: 'audit',
  summary: 'List audit entries, newest first',
  examples: ['relt admin audit', 'relt admin audit --user ada --limit 100'],
  options: {
    '-u, --user <name>': 'only actions of this user',
    ...pageOptions,
  },
  run: async (cli, options) => {
    const { user, limit = 20, page = 1 } = options
    const found = await (await openAdmin(cli)).listAudit({ login: user }, { page, perPage: limit })
    await show(cli, { body: found, rows: found.items, columns: () => columns, empty: 'No audit entries.', page: found })
  },
})

const columns: Column<AuditEntry>[] = [
  { title: 'Time', value: (entry) => entry.at },
  { title: 'Account', value: (entry) => entry.login, min: 8 },
  { title: 'Action', value: (entry) => entry.action },
  { title: 'Subject', value: (entry) => entry.subject, min: 8 },
  { title: 'Request', value: (entry) => entry.request_id, from: 120, min: 8 },
]
