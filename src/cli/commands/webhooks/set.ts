import { type WebhookName, webhookChannels } from '../../../contract/channels.ts'
import { ReltError } from '../../../errors.ts'
import { formatNames } from '../../../notify/generic/format-names.ts'
import { readOrAskSecret } from '../../input/secret.ts'
import { sayDone } from '../../output/say.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { getSubscription, listSubscriptions } from '../subs/find.ts'
import { accountName } from '../teams/current.ts'

/** `card` is only for Teams. */
const formats = [...formatNames, 'card']

const options = {
  '--project <project>': 'slug, name or id of a project that you follow (default: the account)',
  '--format <format>': { help: 'format of the message (default: that of the host, else standard)', choices: formats },
  '--secret-file <file>': 'read the URL from the first line of a file; - for standard input',
  '--remove': 'remove the webhook',
} as const

export default verb({
  name: 'set',
  summary: 'Set or remove a webhook of your account, a team or a subscription',
  examples: [
    'relt webhooks set slack',
    'pass show slack | relt webhooks set slack --secret-file -',
    'relt webhooks set generic --format mattermost --secret-file url.txt',
    'relt webhooks set slack --team platform',
    'relt webhooks set teams --project argo-cd --remove',
  ],
  args: [['<channel>', 'channel of the webhook', { choices: webhookChannels.map(({ name }) => name) }]],
  options,
  epilog: 'Webhook URLs are secrets, so no option takes one directly.',
  run: async (cli, channel, options) => {
    refuseContradictions(channel, options)
    const { project, format, secretFile, remove } = options
    const { field } = webhookChannels.find(({ name }) => name === channel)!
    const subscription =
      project === undefined ? undefined : await getSubscription(cli, await listSubscriptions(cli), project)
    const url = remove ? '' : await readOrAskSecret(cli, secretFile, `URL of the ${channel} webhook`)
    const change = { [field]: format === undefined ? url : withFormat(url, format) }
    const answer = subscription
      ? await cli.call('updateSettings', { body: { subscription_id: subscription.id, ...change } })
      : await cli.call('updateAccountSettings', { body: change })
    const place = `of ${subscription ? subscription.name : await accountName(cli)}`
    await sayDone(cli, `${remove ? 'Removed' : 'Set'} the ${channel} webhook ${place}`, answer)
  },
})

function refuseContradictions(channel: WebhookName, { format, secretFile, remove }: OptionsOf<typeof options>) {
  if (remove && (format !== undefined || secretFile !== undefined)) {
    throw new ReltError('usage', '--remove takes neither --format nor --secret-file.')
  }
  if (format === undefined) return
  if (channel === (format === 'card' ? 'teams' : 'generic')) return
  throw new ReltError('usage', `The ${channel} webhook has no format ${format}.`, {
    hint: 'Teams has the format card; the generic webhook has the others.',
  })
}

/** Appends the format as a URL fragment, which is never sent: `https://chat.example/hooks/x#format=mattermost`. */
function withFormat(address: string, format: string) {
  const url = URL.parse(address)
  if (!url) return address
  const settings = new URLSearchParams(url.hash.slice(1))
  settings.delete('format')
  url.hash = [`format=${format}`, ...(settings.size > 0 ? [settings.toString()] : [])].join('&')
  return url.href
}
