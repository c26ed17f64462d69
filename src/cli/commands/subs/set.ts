import { emailFrequencies } from '../../../contract/choices.ts'
import { defined } from '../../../util/defined.ts'
import { requireChange } from '../../input/require-change.ts'
import { sayDone } from '../../output/say.ts'
import { verb } from '../../program/verb.ts'
import { chooseSubscription, getSubscription, listSubscriptions } from './find.ts'

export default verb({
  name: 'set',
  summary: 'Change the notifications of a subscription',
  examples: [
    'relt subs set argo-cd --email-frequency daily --release-types app,helm',
    'relt subs set argo-cd --no-global-webhooks',
    'relt subs set argo-cd --paused',
  ],
  args: [['[project]', 'slug, name or id']],
  options: {
    '--email': 'notify by email',
    '--no-email': 'do not notify by email',
    '--email-frequency <frequency>': { help: 'one email per project, or a digest', choices: emailFrequencies },
    '--release-types <types>': 'release types in emails and in the feed: app,helm,pre',
    '--webhook-release-types <types>': 'release types sent to webhooks: app,helm,pre',
    '--global-webhooks': "also use the account's webhooks",
    '--no-global-webhooks': "do not use the account's webhooks",
    '--paused': 'pause notifications',
    '--no-paused': 'resume notifications',
  },
  epilog: 'Set a webhook of a subscription with `relt webhooks set --project`.',
  run: async (cli, typed, options) => {
    requireChange(options)
    const idOrName = typed ?? (await chooseSubscription(cli))
    const { id: subscription_id, name } = await getSubscription(cli, await listSubscriptions(cli), idOrName)
    const { email, emailFrequency, releaseTypes, webhookReleaseTypes, globalWebhooks, paused } = options
    const change = defined({
      email_enabled: email,
      email_frequency: emailFrequency,
      release_types_filter: releaseTypes,
      webhook_release_types: webhookReleaseTypes,
      use_global_webhooks: globalWebhooks,
      notifications_paused: paused,
    })
    await sayDone(
      cli,
      `Changed ${Object.keys(change).join(', ')} of ${name}`,
      await cli.call('updateSettings', { body: { subscription_id, ...change } }),
    )
  },
})
