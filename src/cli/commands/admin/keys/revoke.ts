import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { type AdminCli, adminCliOf } from '../command.ts'

export function createCommand(context: Context, run = runRevoke): Command {
  return newCommand('revoke', 'Revoke an API key', ['relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e'])
    .argument('<uuid>', 'UUID of the key')
    .action((uuid, _, command) => run(adminCliOf(context, command), uuid))
}

export async function runRevoke(cli: AdminCli, uuid: string): Promise<void> {
  await (await cli.admin()).revokeKey(uuid)
  await sayDone(cli, `Revoked ${uuid}`, { success: true })
}
