import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export function createCommand(context: Context, run = runDrop): Command {
  return newCommand('drop', 'Cancel a queued notification', ['relt deliveries drop msg_2b7f0c9d4e1a65830f124c5d'])
    .argument('<id>', 'id of the notification')
    .action((id, _, command) => run(cliOf(context, command), id))
}

export async function runDrop(cli: Cli, id: string): Promise<void> {
  const client = await cli.context.client()
  const saved = await client.call('dropDelivery', { params: { delivery_id: id } })
  await sayDone(cli, `${saved.delivery_id} is ${saved.state}`, saved)
}
