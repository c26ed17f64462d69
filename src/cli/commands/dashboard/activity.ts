import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks } from '../../output/remarks.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { nothingNew, subscriptionRemarks } from '../feed/index.ts'
import { recentColumns } from '../projects/recent-view.ts'

export interface ActivityOptions {
  days?: number
}

export function createCommand(context: Context, run = runActivity): Command {
  return newCommand('activity', 'List new releases of the projects you subscribe to', [
    'relt dashboard activity',
    'relt dashboard activity --days 30 --json',
  ])
    .option('-d, --days <count>', 'days to look back, at most 365 (default: 7)', wholeNumber(365))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runActivity(cli: Cli, query: ActivityOptions): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('getDashboardActivity', { query })
  await show(cli, {
    body: found,
    rows: found.releases,
    columns: recentColumns,
    remarks: [...subscriptionRemarks(found.looked_at), ...basisRemarks(found, cli.context.now())],
    empty: nothingNew(found.looked_at, query.days),
  })
}
