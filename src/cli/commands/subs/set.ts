import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type WebhookField, type WebhookName, webhookChannels } from '../../../contract/channels.ts'
import { emailFrequencies } from '../../../contract/choices.ts'
import type { EmailFrequency, SubscriptionSettings } from '../../../contract/subscription.ts'
import { ReltError } from '../../../errors.ts'
import { askSecret, readSecret } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { chooseSubscription, getSubscription, listSubscriptions } from './find.ts'

export type SetOptions = {
  email?: boolean
  emailFrequency?: EmailFrequency
  releaseTypes?: string
  webhookReleaseTypes?: string
  globalWebhooks?: boolean
  paused?: boolean
} & {
  /** True: it is asked for. False: there is to be none. */
  [C in WebhookName as `${C}Webhook`]?: boolean
} & { [C in WebhookName as `${C}WebhookFile`]?: string }

export function createCommand(context: Context, run = runSet): Command {
  const command = newCommand('set', 'Change the notifications of a subscription', [
    'relt subs set argo-cd --email-frequency daily --release-types app,helm',
    'relt subs set argo-cd --slack-webhook-file webhook.txt --no-global-webhooks',
    'printf %s "$WEBHOOK" | relt subs set argo-cd --generic-webhook-file -',
  ])
    .argument('[project]', 'slug, name or id')
    .option('--email', 'notify by e-mail')
    .option('--no-email', 'do not notify by e-mail')
    .addOption(
      new Option('--email-frequency <frequency>', 'one e-mail per project, or a digest').choices(emailFrequencies),
    )
    .option('--release-types <types>', 'release types in e-mails and in the feed: app,helm,pre')
    .option('--webhook-release-types <types>', 'release types sent to webhooks: app,helm,pre')
    .option('--global-webhooks', "also use the account's webhooks")
    .option('--no-global-webhooks', "do not use the account's webhooks")
    .option('--paused', 'pause notifications')
    .option('--no-paused', 'resume notifications')
  for (const { name: channel } of webhookChannels) {
    command
      .option(`--${channel}-webhook`, `prompt for the URL of the ${channel} webhook`)
      .option(`--${channel}-webhook-file <file>`, `read the URL from the first line of a file; - for standard input`)
      .option(`--no-${channel}-webhook`, `remove the ${channel} webhook`)
  }
  return command
    .addHelpText('after', '\nWebhook URLs are secrets, so no option takes one directly.')
    .action((project, options, command) => run(cliOf(context, command), project, options))
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

function refuseContradictions(options: SetOptions): void {
  if (Object.keys(options).length === 0) {
    throw new ReltError('usage', 'Nothing to change.', { hint: 'Add an option; --help lists them.' })
  }
  for (const { name: channel } of webhookChannels) {
    if (options[`${channel}Webhook`] !== undefined && options[`${channel}WebhookFile`] !== undefined) {
      throw new ReltError('usage', `Use only one option for the ${channel} webhook.`)
    }
  }
  if (webhookChannels.filter(({ name }) => options[`${name}WebhookFile`] === '-').length > 1) {
    throw new ReltError('usage', 'Standard input can provide only one URL.', { hint: 'Read the others from files.' })
  }
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

async function webhooksOf(cli: Cli, options: SetOptions): Promise<Partial<Record<WebhookField, string>>> {
  const webhooks: Partial<Record<WebhookField, string>> = {}
  for (const { name: channel, field } of webhookChannels) {
    const what = `URL of the ${channel} webhook`
    const asked = options[`${channel}Webhook`]
    const file = options[`${channel}WebhookFile`]
    if (file !== undefined) webhooks[field] = await readSecret(cli, file, what)
    else if (asked !== undefined) webhooks[field] = asked ? await askSecret(cli, what) : ''
  }
  return webhooks
}
