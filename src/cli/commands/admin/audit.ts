import type { AuditEntry } from '../../../contract/account.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
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
  { title: titles.time, value: (entry) => entry.at },
  { title: titles.account, value: (entry) => entry.login, min: 8 },
  { title: titles.action, value: (entry) => entry.action },
  { title: titles.subject, value: (entry) => entry.subject, min: 8 },
  { title: titles.request, value: (entry) => entry.request_id, from: 120, min: 8 },
]
