import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findKey } from './find.ts'
import { findMade, sayMade, things } from './made.ts'

export interface RevokeOptions {
  yes?: boolean
  only?: boolean
}

export function createCommand(context: Context, run = runRevoke): Command {
  return newCommand('revoke', 'Revoke an API key, and end what was made with it', [
    'relt keys revoke "CI of the shop"',
    'relt keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --yes',
    'relt keys revoke "CI of the shop" --only',
  ])
    .argument('[key]', 'uuid or name')
    .option('--only', 'keep the keys, feeds, webhooks and team members that came of it')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((key, options, command) => run(cliOf(context, command), key, options))
}

export async function runRevoke(cli: Cli, uuidOrName: string | undefined, options: RevokeOptions): Promise<void> {
  const { yes, only } = options
  const { uuid, name } = await findKey(cli, uuidOrName)
  const client = await cli.context.client()
  const made = sayMade(cli.io, await findMade(client, uuid))
  const ends = made > 0 && !only
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    const isOwn = (await (await cli.context.credentials())?.currentKeyUuid()) === uuid
    const own = isOwn ? ', which you are signed in with' : ''
    await confirmOrRefuse(
      cli.io,
      `Revoke key ${uuid}, ${name}${own}${ends ? `, and end the ${things(made)} above` : ''}?`,
    )
  }
  const answer = await client.call('revokeKey', { params: { uuid }, query: ends ? { made: 'end' } : {} })
  await sayDone(cli, `Revoked key ${uuid}, ${name}${ends ? `, and ended ${things(made)}` : ''}`, answer)
}
