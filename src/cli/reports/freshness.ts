import type { Command } from 'commander'
import { Option } from 'commander'
import type { Context } from '../../context.ts'
import { FreshnessStatus } from '../../contract/cluster-report.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import { printJson } from '../json.ts'
import { print } from '../print.ts'
import { addClusterOptions, type ClusterOptions } from './cluster.ts'
import { findLatestRunId } from './latest.ts'

export interface FreshnessOptions extends ClusterOptions {
  explain?: boolean
  status?: FreshnessStatus
}

export function createCommand(context: Context, run = runFreshness): Command {
  const command = newCommand('freshness', 'Which images, charts and Kubernetes version of a run are behind', [
    'relt reports freshness',
    'relt reports freshness --status major_behind',
    'relt reports freshness crun_k3v7qd2m5x4aznle --explain',
  ])
  return addClusterOptions(command)
    .argument('[run]', 'run id (default: the latest run)')
    .option('--explain', 'for each artifact the projects it could be, and why one was taken')
    .addOption(new Option('-s, --status <status>', 'show these only').choices(FreshnessStatus.options))
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

export async function runFreshness(
  { context, io, json }: Cli,
  id: string | undefined,
  options: FreshnessOptions,
): Promise<void> {
  const client = await context.client()
  const run_id = id ?? (await findLatestRunId(client, options))
  const explain = options.explain === true
  const freshness = await client.call('reportFreshness', { params: { run_id }, query: { explain } })
  const items = freshness.items.filter((item) => !options.status || item.status === options.status)
  if (json) return printJson(io, { ...freshness, items })
  const { cluster_name } = await client.call('getReport', { params: { run_id } })
  const { renderExplanations, renderFreshness } = await import('./freshness-view.ts')
  print(io, explain ? renderExplanations(io, items) : renderFreshness(io, { ...freshness, items }, cluster_name))
}
