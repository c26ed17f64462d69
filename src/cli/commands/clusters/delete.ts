import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { count } from '../../../util/words.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findCluster, nameOf } from './load.ts'

export interface DeleteClusterOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runDelete): Command {
  return newCommand('delete', 'Delete a cluster with all its runs and reports', [
    'relt clusters delete shop-test/test',
    'relt clusters delete shop-test --yes',
  ])
    .argument('<cluster>', 'name, name/environment or id')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((cluster, options, command) => run(cliOf(context, command), cluster, options))
}

export async function runDelete(cli: Cli, typed: string, { yes }: DeleteClusterOptions): Promise<void> {
  const { cluster_id, cluster_name, environment } = await findCluster(cli, typed)
  const client = await cli.context.client()
  const query = { cluster_name, environment, per_page: 1 }
  const { total } = await client.call('listReports', { query })
  const runs = total === null ? 'all its runs' : count(total, 'run')
  const name = nameOf({ cluster_name, environment })
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Permanently delete ${name} with ${runs}, their reports and its history?`)
  }
  const answer = await client.call('deleteCluster', { params: { cluster_id } })
  await sayDone(cli, `Deleted ${name} with ${runs}`, answer)
}
