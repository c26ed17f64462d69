import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { plain } from '../io.ts'
import { printJson } from '../json.ts'
import { addPageOptions, type PageOptions, pageQuery, renderPageNote } from '../page.ts'
import { print } from '../print.ts'

export function createCommand(context: Context, run = runSearch): Command {
  const command = newCommand('search', 'Find projects by name, description, category or repository', [
    'relt projects search argo',
    'relt projects search "service mesh" --limit 5',
  ])
  return addPageOptions(command)
    .argument('<text>', 'what to look for')
    .action((text, options, command) => run(cliOf(context, command), text, options))
}

export async function runSearch({ context, io, json }: Cli, search: string, options: PageOptions): Promise<void> {
  const client = await context.client()
  const found = await client.call('listProjects', { query: { search, ...pageQuery(options) } })
  if (json) return printJson(io, found)
  if (found.total === 0) return void io.err(`No project matches "${plain(search)}".\n`)
  const { renderProjects } = await import('./view.ts')
  print(io, renderProjects(io, found.items, context.now()))
  renderPageNote(io, found)
}
