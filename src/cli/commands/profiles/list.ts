import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { ListedConfig } from '../../../contract/received/cluster-config.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { addPageOptions, type PageOptions, pageQuery } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runList): Command {
  const command = newCommand('list', 'List your scan profiles', ['relt profiles list', 'relt profiles list --json'])
  return addPageOptions(command)
    .option('--settings', 'include notes and settings in the JSON and YAML output')
    .action((options, command) => run(cliOf(context, command), options))
}

interface ListOptions extends PageOptions {
  settings?: boolean
}

export async function runList(cli: Cli, options: ListOptions): Promise<void> {
  const client = await cli.context.client()
  const include = options.settings ? { include: 'settings' as const } : {}
  const found = await client.call('listConfigs', { query: { ...pageQuery(options), ...include } })
  const empty = 'No profiles yet. Create them from your reports: relt profiles bootstrap --all'
  await show(cli, { body: found, rows: found.items, page: found, columns, empty })
}

const columns = ({ color, isTerminal }: Io, now: number): Column<ListedConfig>[] => [
  { title: 'ID', value: (profile) => profile.config_id },
  { title: 'Name', value: (profile) => profile.name, style: (cell) => color.bold(cell), min: 10 },
  { title: 'Cluster', value: (profile) => profile.cluster_name, min: 10 },
  { title: 'Provider', value: (profile) => profile.provider },
  { title: 'Changed', value: (profile) => when(profile.updated_at, { isTerminal, now }), min: 9, from: 90 },
]
