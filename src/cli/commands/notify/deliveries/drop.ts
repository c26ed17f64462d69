import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'

export default verb({
  name: 'drop',
  summary: 'Cancel a queued notification',
  examples: ['relt notify deliveries drop msg_2b7f0c9d4e1a65830f124c5d'],
  args: [['<id>', 'id of the notification']],
  run: async (cli, id) => {
    const client = await cli.context.client()
    const saved = await client.call('dropDelivery', { params: { delivery_id: id } })
    await sayDone(cli, `${saved.delivery_id} is ${saved.state}`, saved)
  },
})
