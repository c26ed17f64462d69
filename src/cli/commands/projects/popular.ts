import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { ReceivedPopularProject } from '../../../contract/received/catalog.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface PopularOptions {
  limit?: number
}

export function createCommand(context: Context, run = runPopular): Command {
  return newCommand('popular', 'List the most followed projects', [
    'relt projects popular',
    'relt projects popular --limit 50 --json',
  ])
    .option('-n, --limit <count>', 'number of projects, at most 50 (default: 10)', wholeNumber(50))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runPopular(cli: Cli, query: PopularOptions): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('getPopularProjects', { query })
  await show(cli, { body: found, rows: found.projects, columns, empty: 'The catalog is empty.' })
}

const columns = ({ color, isTerminal }: Io, now: number): Column<ReceivedPopularProject>[] => [
  { title: 'ID', value: (project) => String(project.id), align: 'right' },
  { title: 'Name', value: (project) => project.name, style: (cell) => color.bold(cell), min: 14 },
  { title: 'Followers', value: (project) => String(project.subscriber_count), align: 'right' },
  { title: 'Releases in 30 days', value: (project) => String(project.releases_30d), align: 'right', min: 8 },
  {
    title: 'Last release',
    value: (project) => (project.last_release_at ? when(project.last_release_at, { isTerminal, now }) : '-'),
    min: 12,
  },
  { title: 'Category', value: (project) => project.category, style: (cell) => color.dim(cell), min: 10 },
]
