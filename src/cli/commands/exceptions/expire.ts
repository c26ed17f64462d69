import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { targetText } from '../../../views/exception.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runExpire): Command {
  return newCommand('expire', 'End an exception now', [
    'relt exceptions expire exc_2b7f0c9d4e1a65830f12',
    'relt exceptions expire exc_2b7f0c9d4e1a65830f12 --json',
  ])
    .argument('<id>', 'id of the exception')
    .action((id, _, command) => run(cliOf(context, command), id))
}

export async function runExpire(cli: Cli, id: string): Promise<void> {
  const client = await cli.context.client()
  const ended = await client.call('expireException', { params: { exception_id: id } })
  await sayDone(cli, `Ended ${ended.exception_id}: ${targetText(ended)} counts again`, ended)
}
