import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { ClusterConfigChange } from '../../../contract/cluster-config.ts'
import { ReltError } from '../../../errors.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addChangeOptions, type ChangeOptions, changeOf } from './change.ts'
import { readProfile, requireFreeName } from './find.ts'
import { remarksOf, warn } from './remarks.ts'

export interface EditProfileOptions extends ChangeOptions {
  name?: string
}

export function createCommand(context: Context, run = runEdit): Command {
  const command = newCommand('edit', 'Edit a scan profile', [
    'relt profiles edit shop-prod',
    'relt profiles edit shop-prod --set radar.environment=prod excluded_checks=[SEC014]',
    'relt profiles edit shop-prod --from profile.yaml',
  ])
    .argument('[profile]', 'name or id')
    .option('--name <name>', 'new name')
    .addHelpText('after', '\nWithout options, the profile opens in $VISUAL or $EDITOR.')
  return addChangeOptions(command).action((profile, options, command) => run(cliOf(context, command), profile, options))
}

export async function runEdit(cli: Cli, idOrName: string | undefined, options: EditProfileOptions): Promise<void> {
  const inEditor = Object.keys(options).length === 0
  if (inEditor && !cli.io.isInteractive) {
    throw new ReltError('usage', 'Nothing to change.', { hint: 'Add --set PATH=VALUE or --from FILE.' })
  }
  const profile = await readProfile(cli, idOrName)
  const client = await cli.context.client()
  const params = { config_id: profile.config_id }
  const save = async (body: ClusterConfigChange) => {
    if (body.name !== undefined) await requireFreeName(client, body.name, profile.config_id)
    const answer = await client.call('updateConfig', { params, body })
    await sayDone(cli, `Changed the profile ${answer.name ?? profile.name}`, answer)
    warn(cli, await remarksOf(cli, answer.settings ?? body.settings ?? profile.settings))
  }
  if (inEditor) return (await import('./edit-document.ts')).editDocument(cli, profile, save)
  const change = await changeOf(cli, options, profile.settings)
  await save({ ...change, ...(options.name !== undefined && { name: options.name }) })
}
