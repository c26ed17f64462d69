import { Argument, type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type WebhookName, webhookChannels } from '../../../contract/channels.ts'
import { ReltError } from '../../../errors.ts'
import { formatNames } from '../../../notify/generic/format-names.ts'
import { askSecret, readSecret } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getSubscription, listSubscriptions } from '../subs/find.ts'

export interface SetWebhookOptions {
  project?: string
  format?: string
  secretFile?: string
  remove?: boolean
}

/** `card` is for Teams. */
const formats = [...formatNames, 'card']

export function createCommand(context: Context, run = runSet): Command {
  return newCommand('set', 'Set or remove a webhook of your account or of a subscription', [
    'relt webhooks set slack',
    'pass show slack | relt webhooks set slack --secret-file -',
    'relt webhooks set generic --format mattermost --secret-file url.txt',
    'relt webhooks set teams --project argo-cd --remove',
  ])
    .addArgument(new Argument('<channel>', 'channel of the webhook').choices(webhookChannels.map(({ name }) => name)))
    .option('--project <project>', 'slug, name or id of a project that you follow (default: the account)')
    .addOption(
      new Option('--format <format>', 'format of the message (default: that of the host, else standard)').choices(
        formats,
      ),
    )
    .option('--secret-file <file>', 'read the URL from the first line of a file; - for standard input')
    .option('--remove', 'remove the webhook')
    .addHelpText('after', '\nWebhook URLs are secrets, so no option takes one directly.')
    .action((channel, options, command) => run(cliOf(context, command), channel, options))
}

export async function runSet(cli: Cli, channel: WebhookName, options: SetWebhookOptions): Promise<void> {
  refuseContradictions(channel, options)
  const { project, format, secretFile, remove } = options
  const { field } = webhookChannels.find(({ name }) => name === channel)!
  const client = await cli.context.client()
  const subscription =
    project === undefined ? undefined : await getSubscription(cli, await listSubscriptions(client), project)
  const what = `URL of the ${channel} webhook`
  const url = remove
    ? ''
    : secretFile === undefined
      ? await askSecret(cli, what)
      : await readSecret(cli, secretFile, what)
  const change = { [field]: format === undefined ? url : withFormat(url, format) }
  const answer = subscription
    ? await client.call('updateSettings', { body: { subscription_id: subscription.id, ...change } })
    : await client.call('updateAccountSettings', { body: change })
  const place = subscription ? `of ${subscription.name}` : 'of your account'
  await sayDone(cli, `${remove ? 'Removed' : 'Set'} the ${channel} webhook ${place}`, answer)
}

function refuseContradictions(channel: WebhookName, { format, secretFile, remove }: SetWebhookOptions): void {
  if (remove && (format !== undefined || secretFile !== undefined)) {
    throw new ReltError('usage', '--remove takes neither --format nor --secret-file.')
  }
  if (format === undefined) return
  if (channel === (format === 'card' ? 'teams' : 'generic')) return
  throw new ReltError('usage', `The ${channel} webhook has no format ${format}.`, {
    hint: 'Teams has the format card; the generic webhook has the others.',
  })
}

/** At the end of the address, which is never sent: `https://chat.example/hooks/x#format=mattermost`. */
function withFormat(address: string, format: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const settings = new URLSearchParams(url.hash.slice(1))
  settings.delete('format')
  url.hash = [`format=${format}`, ...(settings.size > 0 ? [settings.toString()] : [])].join('&')
  return url.href
}
