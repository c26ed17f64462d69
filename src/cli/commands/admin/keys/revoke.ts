import type { Command } from 'commander'
import type { Context } from '../../../../context.ts'
import { sayDone } from '../../../output/say.ts'
import { newCommand } from '../../../program/command.ts'
import { sayMade, things } from '../../keys/made.ts'
import { type AdminCli, adminCliOf } from '../command.ts'
import { toShown } from '../made.ts'

export interface RevokeKeyOptions {
  only?: boolean
}

export function createCommand(context: Context, run = runRevoke): Command {
  return newCommand('revoke', 'Revoke an API key, and end what was made with it', [
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e',
    'relt admin keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --only',
  ])
    .argument('<uuid>', 'UUID of the key')
    .option('--only', 'keep the keys, feeds, webhooks and team members that came of it')
    .action((uuid, options, command) => run(adminCliOf(context, command), uuid, options))
}

export async function runRevoke(cli: AdminCli, uuid: string, { only = false }: RevokeKeyOptions = {}): Promise<void> {
  const store = await cli.admin()
  const made = sayMade(cli.io, toShown(await store.findMadeByKey(uuid)))
  const ended = await store.revokeKey(uuid, { endMade: !only })
  await sayDone(cli, `Revoked ${uuid}${ended && made > 0 ? `, and ended ${things(made)}` : ''}`, {
    success: true,
    ...(ended && { ended }),
  })
}
