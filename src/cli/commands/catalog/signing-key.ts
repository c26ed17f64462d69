import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { show } from '../../output/output.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf } from './command.ts'

export function createCommand(context: Context, run = runSigningKey): Command {
  return newCommand('signing-key', 'Print the public key that verifies exported catalogs', [
    'relt catalog signing-key',
    'relt catalog signing-key --data /var/lib/relt',
  ]).action((_options, command) => run(catalogCliOf(context, command)))
}

export async function runSigningKey(cli: CatalogCli): Promise<void> {
  const publicKey = await (await cli.catalog()).signingKey()
  await show(cli, { body: { public_key: publicKey }, verbatim: `${publicKey}\n` })
}
