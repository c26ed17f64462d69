import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addClusterOptions, type ClusterOptions } from './cluster.ts'
import { findRunId, runForms } from './find-run.ts'

export interface DeleteRunOptions extends ClusterOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runDelete): Command {
  const command = newCommand('delete', 'Delete a run and its report', [
    'relt reports delete crun_k3v7qd2m5x4aznle',
    'relt reports delete latest --cluster prod-eu --yes',
  ])
  return addClusterOptions(command)
    .argument('<run>', runForms)
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((runId, options, command) => run(cliOf(context, command), runId, options))
}

export async function runDelete(cli: Cli, reference: string, options: DeleteRunOptions): Promise<void> {
  const client = await cli.context.client()
  const run_id = await findRunId(cli, reference, options)
  const run = await client.call('getReport', { params: { run_id } })
  if (!options.yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Permanently delete run ${run_id} of ${run.cluster_name ?? 'an unknown cluster'}?`)
  }
  const answer = await client.call('deleteReport', { params: { run_id } })
  await sayDone(cli, `Deleted ${run_id}`, answer)
}
