import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { clusterOrders } from '../../../contract/choices.ts'
import type { ClusterOrder } from '../../../contract/cluster.ts'
import { scannerRows } from '../../../views/scanners.ts'
import { show } from '../../output/output.ts'
import { addPageOptions, type PageOptions, pageQuery } from '../../output/page.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { loadClusters, summaryRemarks } from './load.ts'
import { clusterColumns, clusterRemarks } from './view.ts'

export interface ListClustersOptions extends PageOptions {
  environment?: string
  label?: string
  sort?: ClusterOrder
}

export function createCommand(context: Context, run = runList): Command {
  const command = newCommand('list', 'List clusters with their score, changes and age', [
    'relt clusters list',
    'relt clusters list --sort urgency --environment prod',
    'relt clusters list --label team-shop --json',
  ])
    .option('-e, --environment <name>', 'only clusters of this environment')
    .option('--label <label>', 'only clusters with this label')
    .addOption(new Option('--sort <order>', 'order of the list (default: name)').choices(clusterOrders))
  return addPageOptions(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runList(cli: Cli, options: ListClustersOptions): Promise<void> {
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
    empty: environment || label ? 'No cluster matches.' : 'No clusters yet. Upload a report: relt reports upload FILE',
    page: found,
  })
}
