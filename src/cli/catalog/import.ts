import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { newCommand } from '../command.ts'
import { sayDone } from '../say.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'

export function createCommand(context: Context, run = runImport): Command {
  return newCommand('import', 'Take over projects and releases from a file of relt catalog export', [
    'relt catalog import catalog.relt',
    'relt catalog import /media/usb/catalog.relt --data /var/lib/relt',
  ])
    .argument('<file>', 'the file, checked by its hash')
    .action((file, _options, command) => run(catalogCliOf(context, command), file))
}

export async function runImport(cli: CatalogCli, file: string): Promise<void> {
  const { projects, releases } = await (await cli.catalog()).importFrom(file)
  const told = `${projects.added} new projects, ${releases.added} new and ${releases.updated} changed releases`
  await sayDone(cli, `Took over ${told}`, { success: true, projects, releases })
}
