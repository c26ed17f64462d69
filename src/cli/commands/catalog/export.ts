import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'

export interface CatalogExportOptions {
  sign?: boolean
}

export function createCommand(context: Context, run = runExport): Command {
  return newCommand('export', 'Export the catalog to a file for offline machines', [
    'relt catalog export catalog.relt',
    'relt catalog export catalog.relt --sign',
    'relt catalog export /media/usb/catalog.relt --data /var/lib/relt',
  ])
    .argument('<file>', 'file to write; an existing file is replaced')
    .option('--sign', 'sign the file with the key of this store (see `relt catalog signing-key`)')
    .action((file, options, command) => run(catalogCliOf(context, command), file, options))
}

export async function runExport(cli: CatalogCli, file: string, { sign }: CatalogExportOptions): Promise<void> {
  const { bytes, publicKey } = await (await cli.catalog()).exportTo(file, { sign: sign === true })
  const signed = publicKey === undefined ? '' : `, signed by ${publicKey}`
  const body = { success: true, file, bytes, ...(publicKey !== undefined && { public_key: publicKey }) }
  await sayDone(cli, `Wrote ${file} (${Math.ceil(bytes / 1024)} KB)${signed}`, body)
}
