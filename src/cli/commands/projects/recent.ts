import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { recentColumns } from './recent-view.ts'

export interface RecentOptions {
  limit?: number
  category?: string
  security?: boolean
}

export function createCommand(context: Context, run = runRecent): Command {
  return newCommand('recent', 'List the newest releases of all projects', [
    'relt projects recent',
    'relt projects recent --security --limit 20',
    'relt projects recent --category Networking',
  ])
    .option('-n, --limit <count>', 'number of releases, at most 20 (default: 10)', wholeNumber(20))
    .option('--category <name>', 'only projects of this category')
    .option('--security', 'only releases that fix a vulnerability')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runRecent(cli: Cli, { limit = 10, category, security }: RecentOptions): Promise<void> {
  const client = await cli.context.client()
  const query = { limit, ...(category && { category }), ...(security && { security_only: true }) }
  const found = await client.call('getRecentReleases', { query })
  await show(cli, { body: found, rows: found.releases, columns: recentColumns, empty: 'No matching releases.' })
}
