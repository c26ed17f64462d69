import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type ChannelName, channelNames } from '../../../contract/channels.ts'
import { deliveryStates } from '../../../contract/choices.ts'
import type { DeliveryRecord } from '../../../contract/delivery.ts'
import { show } from '../../output/output.ts'
import { addPageOptions, type PageOptions, pageQuery } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { deliveryColumns } from './view.ts'

export interface ListDeliveriesOptions extends PageOptions {
  state?: (typeof deliveryStates)[number]
  channel?: ChannelName
}

export function createCommand(context: Context, run = runList): Command {
  const command = newCommand('list', 'List notifications and their state, newest first', [
    'relt deliveries list',
    'relt deliveries list --state dead --channel slack',
  ])
    .addOption(new Option('--state <state>', 'only in this state').choices(deliveryStates))
    .addOption(new Option('--channel <channel>', 'only of this channel').choices(channelNames))
  return addPageOptions(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runList(cli: Cli, options: ListDeliveriesOptions): Promise<void> {
  const { state, channel } = options
  const client = await cli.context.client()
  const query = { ...pageQuery(options), ...(state && { state }), ...(channel && { channel }) }
  const found = await client.call('listDeliveries', { query })
  await show<DeliveryRecord>(cli, {
    body: found,
    rows: found.items,
    columns: deliveryColumns,
    page: found,
    empty: 'No notifications.',
  })
}
