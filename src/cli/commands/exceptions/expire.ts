import { targetText } from '../../../views/exception.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'expire',
  summary: 'End an exception now',
  examples: [
    'relt exceptions expire exc_2b7f0c9d4e1a65830f12',
    'relt exceptions expire exc_2b7f0c9d4e1a65830f12 --json',
  ],
  args: [['<id>', 'id of the exception']],
  run: async (cli, id) => {
    const client = await cli.context.client()
    const ended = await client.call('expireException', { params: { exception_id: id } })
    await sayDone(cli, `Ended ${ended.exception_id}: ${targetText(ended)} counts again`, ended)
  },
})
