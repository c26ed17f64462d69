import { channelNames } from '../../../../contract/channels.ts'
import { deliveryStates } from '../../../../contract/choices.ts'
import type { DeliveryRecord } from '../../../../contract/delivery.ts'
import { show } from '../../../output/output.ts'
import { pageOptions, pageQuery } from '../../../output/page.ts'
import { verb } from '../../../program/verb.ts'
import { deliveryColumns } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List notifications and their state, newest first',
  examples: ['relt notify deliveries list', 'relt notify deliveries list --state dead --channel slack'],
  options: {
    '--state <state>': { help: 'only in this state', choices: deliveryStates },
    '--channel <channel>': { help: 'only of this channel', choices: channelNames },
    ...pageOptions,
  },
  run: async (cli, options) => {
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
  },
})
