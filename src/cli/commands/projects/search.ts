import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { addPageOptions, type PageOptions, pageQuery } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { projectColumns } from './view.ts'

export function createCommand(context: Context, run = runSearch): Command {
  const command = newCommand('search', 'Find projects by name, description, category or repository', [
    'relt projects search argo',
    'relt projects search "service mesh" --limit 5',
  ])
  return addPageOptions(command)
    .argument('<text>', 'text to search for')
    .action((text, options, command) => run(cliOf(context, command), text, options))
}

export async function runSearch(cli: Cli, search: string, options: PageOptions): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('listProjects', { query: { search, ...pageQuery(options) } })
  await show(cli, {
    body: found,
    rows: found.items,
    columns: projectColumns,
    empty: `No project matches "${search}".`,
    page: found,
  })
}
