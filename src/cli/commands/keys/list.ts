import { unlimited } from '../../../contract/choices.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { keyColumns } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List your API keys',
  examples: ['relt keys list', 'relt keys list --json'],
  run: async (cli) => {
    const client = await cli.context.client()
    const found = await client.call('listKeys', {})
    const { count, limit } = found
    const isLimited = limit < unlimited
    await show(cli, {
      body: found,
      rows: found.keys,
      columns: keyColumns,
      empty: isLimited ? `No keys yet. Your plan allows ${limit}.` : 'No keys yet. Create one: relt keys create NAME',
    })
    if (!cli.json && count > 0 && isLimited) {
      cli.io.err(cli.io.errColor.dim(`${count} of ${limit} keys allowed by your plan.\n`))
    }
  },
})
