import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { renderException } from './view.ts'

export default verb({
  name: 'show',
  summary: 'Show an exception',
  examples: ['relt exceptions show exc_2b7f0c9d4e1a65830f12', 'relt exceptions show exc_2b7f0c9d4e1a65830f12 --json'],
  args: [['<id>', 'id of the exception']],
  run: async (cli, id) => {
    const client = await cli.context.client()
    const exception = await client.call('getException', { params: { exception_id: id } })
    await show(cli, { body: exception, text: (io) => renderException(io, exception) })
  },
})
