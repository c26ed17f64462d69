import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { recentColumns } from './recent-view.ts'

export default verb({
  name: 'recent',
  summary: 'List the newest releases of all projects',
  examples: [
    'relt projects recent',
    'relt projects recent --security --limit 20',
    'relt projects recent --category Networking',
  ],
  options: {
    '-n, --limit <count>': { help: 'releases to show, at most 20 (default: 10)', parse: wholeNumber(20) },
    '--category <name>': 'only projects of this category',
    '--security': 'only releases that fix a vulnerability',
  },
  run: async (cli, { limit = 10, category, security }) => {
    const client = await cli.context.client()
    const query = { limit, ...(category && { category }), ...(security && { security_only: true }) }
    const found = await client.call('getRecentReleases', { query })
    await show(cli, { body: found, rows: found.releases, columns: recentColumns, empty: 'No matching releases.' })
  },
})
