import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import { newCommand } from '../command.ts'
import { sayDone } from '../say.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'

export function createCommand(context: Context, run = runExport): Command {
  return newCommand('export', 'Write the catalog into a file, for machines without internet', [
    'relt catalog export catalog.relt',
    'relt catalog export /media/usb/catalog.relt --data /var/lib/relt',
  ])
    .argument('<file>', 'the file; one that is there is replaced')
    .action((file, _options, command) => run(catalogCliOf(context, command), file))
}

export async function runExport(cli: CatalogCli, file: string): Promise<void> {
  const { bytes } = await (await cli.catalog()).exportTo(file)
  await sayDone(cli, `Wrote ${file} (${Math.ceil(bytes / 1024)} KB)`, { success: true, file, bytes })
}
