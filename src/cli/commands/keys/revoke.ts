import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findKey } from './find.ts'

export interface RevokeOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runRevoke): Command {
  return newCommand('revoke', 'Revoke an API key', [
    'relt keys revoke "CI of the shop"',
    'relt keys revoke 0f8e3c9a-5a7b-4b1e-9d7c-2f6a1b3c4d5e --yes',
  ])
    .argument('[key]', 'uuid or name')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((key, options, command) => run(cliOf(context, command), key, options))
}

export async function runRevoke(cli: Cli, uuidOrName: string | undefined, { yes }: RevokeOptions): Promise<void> {
  const { uuid, name } = await findKey(cli, uuidOrName)
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    const isOwn = (await (await cli.context.credentials())?.currentKeyUuid()) === uuid
    await confirmOrRefuse(cli.io, `Revoke key ${uuid}, ${name}${isOwn ? ', which you are signed in with' : ''}?`)
  }
  const client = await cli.context.client()
  const answer = await client.call('revokeKey', { params: { uuid } })
  await sayDone(cli, `Revoked key ${uuid}, ${name}`, answer)
}
