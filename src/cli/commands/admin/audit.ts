import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { AuditEntry } from '../../../contract/account.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { show } from '../../output/output.ts'
import { addPageOptions, type PageOptions } from '../../output/page.ts'
import { newCommand } from '../../program/command.ts'
import { type AdminCli, adminCliOf } from './command.ts'

export interface AuditOptions extends PageOptions {
  user?: string
}

export function createCommand(context: Context, run = runAudit): Command {
  const command = newCommand('audit', 'List audit entries, newest first', [
    'relt admin audit',
    'relt admin audit --user ada --limit 100',
  ]).option('-u, --user <name>', 'only actions of this user')
  return addPageOptions(command).action((options, command) => run(adminCliOf(context, command), options))
}

export async function runAudit(cli: AdminCli, options: AuditOptions): Promise<void> {
  const { user, limit = 20, page = 1 } = options
  const found = await (await cli.admin()).listAudit({ login: user }, { page, perPage: limit })
  await show(cli, { body: found, rows: found.items, columns: () => columns, empty: 'No audit entries.', page: found })
}

const columns: Column<AuditEntry>[] = [
  { title: 'Time', value: (entry) => entry.at },
  { title: 'User', value: (entry) => entry.login ?? '-', min: 8 },
  { title: 'Action', value: (entry) => entry.action },
  { title: 'Subject', value: (entry) => entry.subject ?? '-', min: 8 },
  { title: 'Request', value: (entry) => entry.request_id ?? '-', from: 120, min: 8 },
]
