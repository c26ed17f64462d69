import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addChangeOptions, type ChangeOptions, changeOf } from './change.ts'
import { requireFreeName } from './find.ts'
import { remarksOf, warn } from './remarks.ts'

export function createCommand(context: Context, run = runCreate): Command {
  const command = newCommand('create', 'Create a scan profile', [
    'relt profiles create shop-prod --provider aks --set radar.environment=prod output.htmlReport=true',
    'relt profiles create shop-prod --set "excluded_namespaces=[kube-system, argocd]"',
    'relt profiles create --from profile.yaml',
  ]).argument('[name]', 'name of the profile')
  return addChangeOptions(command).action((name, options, command) => run(cliOf(context, command), name, options))
}

export async function runCreate(cli: Cli, typed: string | undefined, options: ChangeOptions): Promise<void> {
  const given = await changeOf(cli, options)
  const name = typed ?? given.name
  const body = name === undefined ? await (await import('./ask-profile.ts')).askProfile(cli, given) : { ...given, name }
  const client = await cli.context.client()
  await requireFreeName(client, body.name)
  const answer = await client.call('createConfig', { body })
  await sayDone(cli, `Created the profile ${answer.name} (${answer.config_id})`, answer)
  warn(cli, await remarksOf(cli, answer.settings ?? body.settings))
}
