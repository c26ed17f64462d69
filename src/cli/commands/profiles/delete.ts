import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { findProfile } from './find.ts'

export interface DeleteProfileOptions {
  yes?: boolean
}

export function createCommand(context: Context, run = runDelete): Command {
  return newCommand('delete', 'Delete a scan profile', [
    'relt profiles delete shop-prod',
    'relt profiles delete shop-prod --yes',
  ])
    .argument('[profile]', 'name or id')
    .option('-y, --yes', 'skip the confirmation prompt')
    .action((profile, options, command) => run(cliOf(context, command), profile, options))
}

export async function runDelete(cli: Cli, idOrName: string | undefined, { yes }: DeleteProfileOptions): Promise<void> {
  const { config_id, name, cluster_name } = await findProfile(cli, idOrName)
  if (!yes) {
    const { confirmOrRefuse } = await import('../../input/prompt.ts')
    await confirmOrRefuse(cli.io, `Permanently delete the profile ${name} of cluster ${cluster_name ?? '-'}?`)
  }
  const client = await cli.context.client()
  const answer = await client.call('deleteConfig', { params: { config_id } })
  await sayDone(cli, `Deleted the profile ${name} (${config_id})`, answer)
}
