import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { ReltError } from '../../../errors.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { environmentRemarks, runRemarks } from '../../output/remarks.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addClusterOptions, type ClusterOptions, chooseCluster, clusterQuery, scannedAt } from './cluster.ts'
import { findRun, runForms } from './find-run.ts'

export interface CompareOptions extends ClusterOptions {
  from?: string
  to?: string
  limit?: number
  explain?: boolean
}

export function createCommand(context: Context, run = runCompare): Command {
  const command = newCommand('compare', 'Compare two runs of a cluster', [
    'relt reports compare',
    'relt reports compare --cluster prod-eu --environment prod',
    'relt reports compare --from latest~7',
    'relt reports compare --from @2026-06-01 --to @2026-06-30',
  ])
  return addClusterOptions(command)
    .option('--from <run>', `earlier run: ${runForms} (default: the previous run)`)
    .option('--to <run>', 'later run, named in the same ways (default: the latest)')
    .option('--explain', 'show the whole reasons of checks that did not run')
    .option('-n, --limit <count>', 'findings per kind of change (default: 15)', wholeNumber(1_000_000))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runCompare(cli: Cli, options: CompareOptions): Promise<void> {
  const { limit, explain } = options
  const client = await cli.context.client()
  const place = await chooseCluster(cli, options)
  const from = options.from === undefined ? undefined : await findRun(cli, options.from, options)
  const to = options.to === undefined ? undefined : await findRun(cli, options.to, options)
  const placed = to?.placed ?? from?.placed
  const query = {
    ...clusterQuery(place),
    ...(from && { from_run_id: from.run_id }),
    ...(to && { to_run_id: to.run_id }),
  }
  const comparison = await withProgress(cli.io, 'Comparing', () => client.call('compareReports', { query })).catch(
    (error: unknown) => {
      if (!(error instanceof ReltError) || error.code !== 'not_found' || from || to) throw error
      throw new ReltError('not_found', error.message, { hint: 'Upload one: relt reports upload FILE', cause: error })
    },
  )
  const [{ changeColumns, listChanges, renderComparison }, { groupNotRun }, { shortenedRemark }, { dataColumns }] =
    await Promise.all([
      import('./compare-view.ts'),
      import('../../../views/not-run.ts'),
      import('./not-run-view.ts'),
      import('../../../render/terminal/draw.ts'),
    ])
  await show(cli, {
    body: comparison,
    rows: listChanges(comparison),
    columns: () => dataColumns(changeColumns),
    text: (io) => renderComparison(io, comparison, { limit, explain }),
    remarks: [
      ...shortenedRemark(groupNotRun(comparison.from, comparison.to), explain),
      ...environmentRemarks(comparison, comparison.other_environments ?? placed?.otherEnvironments),
      ...(to || !comparison.to
        ? []
        : runRemarks([{ ...comparison.to, seen_at: scannedAt(comparison.to) }], cli.context.now())),
    ],
  })
}
