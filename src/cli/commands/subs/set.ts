import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { emailFrequencies } from '../../../contract/choices.ts'
import type { EmailFrequency, SubscriptionSettings } from '../../../contract/subscription.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseSubscription, getSubscription, listSubscriptions } from './find.ts'
import { addWebhookOptions, refuseContradictions, type WebhookOptions, webhooksOf } from './webhook-options.ts'

export type SetOptions = WebhookOptions & {
  email?: boolean
  emailFrequency?: EmailFrequency
  releaseTypes?: string
  webhookReleaseTypes?: string
  globalWebhooks?: boolean
  paused?: boolean
}

export function createCommand(context: Context, run = runSet): Command {
  const command = newCommand('set', 'Change the notifications of a subscription', [
    'relt subs set argo-cd --email-frequency daily --release-types app,helm',
    'relt subs set argo-cd --slack-webhook --secret-file webhook.txt --no-global-webhooks',
    'printf %s "$WEBHOOK" | relt subs set argo-cd --generic-webhook --secret-file -',
  ])
    .argument('[project]', 'slug, name or id')
    .option('--email', 'notify by email')
    .option('--no-email', 'do not notify by email')
    .addOption(
      new Option('--email-frequency <frequency>', 'one email per project, or a digest').choices(emailFrequencies),
    )
    .option('--release-types <types>', 'release types in emails and in the feed: app,helm,pre')
    .option('--webhook-release-types <types>', 'release types sent to webhooks: app,helm,pre')
    .option('--global-webhooks', "also use the account's webhooks")
    .option('--no-global-webhooks', "do not use the account's webhooks")
    .option('--paused', 'pause notifications')
    .option('--no-paused', 'resume notifications')
  return addWebhookOptions(command).action((project, options, command) =>
    run(cliOf(context, command), project, options),
  )
}

export async function runSet(cli: Cli, typed: string | undefined, options: SetOptions): Promise<void> {
  refuseContradictions(options)
  const client = await cli.context.client()
  const idOrName = typed ?? (await chooseSubscription(cli))
  const { id: subscription_id, name } = await getSubscription(cli, await listSubscriptions(client), idOrName)
  const change = { ...settingsOf(options), ...(await webhooksOf(cli, options)) }
  const answer = await client.call('updateSettings', { body: { subscription_id, ...change } })
  await sayDone(cli, `Changed ${Object.keys(change).join(', ')} of ${name}`, answer)
}

function settingsOf(options: SetOptions): Omit<SubscriptionSettings, 'subscription_id'> {
  const { email, emailFrequency, releaseTypes, webhookReleaseTypes, globalWebhooks, paused } = options
  return {
    ...(email !== undefined && { email_enabled: email }),
    ...(emailFrequency !== undefined && { email_frequency: emailFrequency }),
    ...(releaseTypes !== undefined && { release_types_filter: releaseTypes }),
    ...(webhookReleaseTypes !== undefined && { webhook_release_types: webhookReleaseTypes }),
    ...(globalWebhooks !== undefined && { use_global_webhooks: globalWebhooks }),
    ...(paused !== undefined && { notifications_paused: paused }),
  }
}
