import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface RevokeFeedOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runRevoke): Command {
  return newCommand('revoke', 'Revoke the address of a feed', ['relt feeds revoke feed_0f9d7c528f6e4d0a --yes'])
    .argument('<id>', 'id of the feed')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((id, options, command) => run(cliOf(context, command), id, options))
}

export async function runRevoke(cli: Cli, feed_id: string, { yes }: RevokeFeedOptions): Promise<void> {
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Revoke feed ${feed_id}?`)
  }
  const answer = await (await cli.context.client()).call('revokeFeed', { params: { feed_id } })
  await sayDone(cli, `Revoked feed ${feed_id}`, answer)
}
