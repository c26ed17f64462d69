import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addWebhookOptions, refuseContradictions, type WebhookOptions, webhooksOf } from './webhook-options.ts'

export type SetAccountOptions = WebhookOptions & { webhookReleaseTypes?: string }

export function createCommand(context: Context, run = runSetAccount): Command {
  const command = newCommand('set-account', "Change your account's webhooks", [
    'relt subs set-account --slack-webhook',
    'pass show slack | relt subs set-account --slack-webhook --secret-file -',
    'relt subs set-account --no-teams-webhook --webhook-release-types app',
  ]).option('--webhook-release-types <types>', 'release types sent to webhooks: app,helm,pre')
  return addWebhookOptions(command).action((options, command) => run(cliOf(context, command), options))
}

export async function runSetAccount(cli: Cli, options: SetAccountOptions): Promise<void> {
  refuseContradictions(options)
  const { webhookReleaseTypes: types } = options
  const change = { ...(types !== undefined && { webhook_release_types: types }), ...(await webhooksOf(cli, options)) }
  const client = await cli.context.client()
  const answer = await client.call('updateAccountSettings', { body: change })
  await sayDone(cli, `Changed ${Object.keys(change).join(', ')} of your account`, answer)
}
