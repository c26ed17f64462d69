import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { cncfStatuses } from '../../../contract/choices.ts'
import type { CncfStatus } from '../../../contract/project.ts'
import { show } from '../../output/output.ts'
import { addPageOptions, type PageOptions, pageQuery } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { projectColumns } from './view.ts'

export interface ListProjectsOptions extends PageOptions {
  status?: CncfStatus
}

export function createCommand(context: Context, run = runList): Command {
  const command = newCommand('list', 'List projects of the catalog', [
    'relt projects list',
    'relt projects list --status graduated --limit 100',
  ])
  return addPageOptions(command)
    .addOption(new Option('-s, --status <status>', 'CNCF status').choices(cncfStatuses))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runList(cli: Cli, options: ListProjectsOptions): Promise<void> {
  const client = await cli.context.client()
  const query = { ...pageQuery(options), ...(options.status && { cncf_status: options.status }) }
  const found = await client.call('listProjects', { query })
  await show(cli, { body: found, rows: found.items, columns: projectColumns, page: found })
}
