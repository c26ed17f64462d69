import { clusterOrders } from '../../../contract/choices.ts'
import { scannerRows } from '../../../views/scanners.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'
import { loadClusters, summaryRemarks } from './load.ts'
import { clusterColumns, clusterRemarks } from './view.ts'

export default verb({
  name: 'list',
  summary: 'List clusters with their score, changes and age',
  examples: [
    'relt clusters list',
    'relt clusters list --sort urgency --environment prod',
    'relt clusters list --label team-shop --json',
  ],
  options: {
    '-e, --environment <name>': 'only clusters of this environment',
    '--label <label>': 'only clusters with this label',
    '--sort <order>': { help: 'order of the list (default: name)', choices: clusterOrders },
    ...pageOptions,
  },
  run: async (cli, options) => {
    const { environment, label, sort } = options
    const found = await loadClusters(cli, {
      ...(environment && { environment }),
      ...(label && { label }),
      ...(sort && { sort }),
      ...pageQuery(options),
    })
    const rows = scannerRows(found.items)
    await show(cli, {
      body: found,
      rows,
      columns: (io, now) => clusterColumns(io, { now, env: cli.context.env, rows }),
      remarks: [...summaryRemarks(found), ...clusterRemarks(cli.io, rows)],
      empty:
        environment || label ? 'No cluster matches.' : 'No clusters yet. Upload a report: relt reports upload FILE',
      page: found,
    })
  },
})
