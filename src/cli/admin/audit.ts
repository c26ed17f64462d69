import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { AuditEntry } from '../../contract/account.ts'
import { newCommand } from '../command.ts'
import { printJson } from '../json.ts'
import { addPageOptions, type PageOptions, renderPageNote } from '../page.ts'
import { print } from '../print.ts'
import type { Column } from '../table.ts'
import { type AdminCli, adminCliOf } from './command.ts'

export interface AuditOptions extends PageOptions {
  user?: string
}

export function createCommand(context: Context, run = runAudit): Command {
  const command = newCommand('audit', 'Who did what, newest first', [
    'relt admin audit',
    'relt admin audit --user ada --limit 100',
  ]).option('-u, --user <name>', 'only what this user did')
  return addPageOptions(command).action((options, command) => run(adminCliOf(context, command), options))
}

export async function runAudit({ admin, io, json }: AdminCli, options: AuditOptions): Promise<void> {
  const { user, limit = 20, page = 1 } = options
  const found = await (await admin()).listAudit({ login: user }, { page, perPage: limit })
  if (json) return printJson(io, found)
  if (found.total === 0) return io.err('Nothing recorded.\n')
  const { renderTable } = await import('../table.ts')
  print(io, renderTable(io, columns, found.items))
  renderPageNote(io, found)
}

const columns: Column<AuditEntry>[] = [
  { title: 'Time', value: (entry) => entry.at },
  { title: 'User', value: (entry) => entry.login ?? '-', min: 8 },
  { title: 'Action', value: (entry) => entry.action },
  { title: 'Subject', value: (entry) => entry.subject ?? '-', min: 8 },
  { title: 'Request', value: (entry) => entry.request_id ?? '-', from: 120, min: 8 },
]
