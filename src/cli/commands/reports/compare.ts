import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { environmentRemarks, runRemarks } from '../../output/remarks.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addClusterOptions, type ClusterOptions, clusterQuery, scannedAt } from './cluster.ts'

export interface CompareOptions extends ClusterOptions {
  from?: string
  to?: string
  limit?: number
}

export function createCommand(context: Context, run = runCompare): Command {
  const command = newCommand('compare', 'Compare two runs of a cluster', [
    'relt reports compare',
    'relt reports compare --cluster prod-eu --environment prod',
    'relt reports compare --from crun_k3v7qd2m5x4aznle --to crun_p6w2hs7c4y3bfrta',
  ])
  return addClusterOptions(command)
    .option('--from <run>', 'earlier run (default: the previous run)')
    .option('--to <run>', 'later run (default: the latest)')
    .option('-n, --limit <count>', 'findings per kind of change (default: 15)', wholeNumber(1_000_000))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runCompare(cli: Cli, options: CompareOptions): Promise<void> {
  const { from, to, limit } = options
  const client = await cli.context.client()
  const query = { ...clusterQuery(options), ...(from && { from_run_id: from }), ...(to && { to_run_id: to }) }
  const comparison = await withProgress(cli.io, 'Comparing', () => client.call('compareReports', { query })).catch(
    (error: unknown) => {
      if (!(error instanceof ReltError) || error.code !== 'not_found' || from || to) throw error
      throw new ReltError('not_found', error.message, { hint: 'Upload one: relt reports upload FILE', cause: error })
    },
  )
  const { changeColumns, changesOf, renderComparison } = await import('./compare-view.ts')
  await show(cli, {
    body: comparison,
    rows: changesOf(comparison),
    columns: () => changeColumns,
    text: (io) => renderComparison(io, comparison, limit),
    remarks: [
      ...environmentRemarks(comparison, comparison.other_environments),
      ...(to || !comparison.to
        ? []
        : runRemarks([{ ...comparison.to, seen_at: scannedAt(comparison.to) }], cli.context.now())),
    ],
  })
}
