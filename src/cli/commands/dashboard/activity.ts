import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { basisRemarks } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { nothingNew, subscriptionRemarks } from '../feed/show.ts'
import { recentColumns } from '../projects/recent-view.ts'

export default verb({
  name: 'activity',
  summary: 'List new releases of the projects you subscribe to',
  examples: ['relt dashboard activity', 'relt dashboard activity --days 30 --json'],
  options: {
    '-d, --days <count>': { help: 'days to look back, at most 365 (default: 7)', parse: wholeNumber(365) },
  },
  run: async (cli, query) => {
    const found = await cli.call('getDashboardActivity', { query })
    await show(cli, {
      body: found,
      rows: found.releases,
      columns: recentColumns,
      remarks: [...subscriptionRemarks(found.looked_at), ...basisRemarks(found, cli.context.now())],
      empty: nothingNew(found.looked_at, query.days),
    })
  },
})
