import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'

export interface CatalogImportOptions {
  /** A public key; `true` for that of this store. */
  requireSignature?: string | true
}

export function createCommand(context: Context, run = runImport): Command {
  return newCommand('import', 'Import projects and releases from a file of `relt catalog export`', [
    'relt catalog import catalog.relt',
    'relt catalog import catalog.relt --require-signature ed25519:11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
    'relt catalog import /media/usb/catalog.relt --data /var/lib/relt',
  ])
    .argument('<file>', 'file written by `relt catalog export`')
    .option('--require-signature [public-key]', 'reject a file not signed by this key (default: the key of this store)')
    .action((file, options, command) => run(catalogCliOf(context, command), file, options))
}

export async function runImport(cli: CatalogCli, file: string, options: CatalogImportOptions): Promise<void> {
  const { requireSignature: signedBy } = options
  const catalog = await cli.catalog()
  const imported = await catalog.importFrom(file, signedBy === undefined ? {} : { signedBy })
  const { projects, releases, signedBy: key } = imported
  const counts = `${projects.added} new projects, ${releases.added} new and ${releases.updated} updated releases`
  const body = { success: true, projects, releases, signed_by: key ?? null }
  await sayDone(cli, `Imported: ${counts}${key ? `, signed by ${key}` : ''}`, body)
}
