import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'

export default verb({
  name: 'retry',
  summary: 'Send a notification again',
  examples: ['relt notify deliveries retry msg_2b7f0c9d4e1a65830f124c5d'],
  args: [['<id>', 'id of the notification']],
  run: async (cli, id) => {
    const client = await cli.context.client()
    const saved = await client.call('retryDelivery', { params: { delivery_id: id } })
    await sayDone(cli, `${saved.delivery_id} is ${saved.state}`, saved)
  },
})
