import { type WebhookField, webhookChannels } from '../../../contract/channels.ts'
import type { ReceivedDashboard, ReceivedSubscription } from '../../../contract/received/subscription.ts'
import { count } from '../../../util/words.ts'
import { type Remark, warning } from '../../output/remarks.ts'

type Account = Pick<ReceivedDashboard, 'user_email' | 'delivers_notifications' | WebhookField>

/** Channels of a subscription: `daily email`, `slack`, `teams of the account`. */
export function channelsFor(subscription: ReceivedSubscription, account: Account) {
  const { email_enabled, email_frequency, use_global_webhooks } = subscription
  const email = email_frequency !== null && email_frequency !== 'per_app' ? `${email_frequency} email` : 'email'
  const hooks = webhookChannels.flatMap(({ field, title }) => {
    const name = title.toLowerCase()
    if (subscription[field]) return [name]
    return use_global_webhooks && account[field] ? [`${name} of the account`] : []
  })
  return [...(email_enabled && account.user_email ? [email] : []), ...hooks]
}

/** Warnings about subscriptions without notifications. */
export function deliveryRemarks(subscriptions: ReceivedSubscription[], account: Account): Remark[] {
  if (subscriptions.length === 0) return []
  const silent = subscriptions.filter(
    (each) =>
      // Without data about channels from the server, a subscription cannot be said to be silent.
      each.email_enabled !== null && !each.notifications_paused && channelsFor(each, account).length === 0,
  ).length
  return [
    ...(silent > 0
      ? [
          warning(
            `${count(silent, 'subscription')} without a channel: nobody is notified. Run \`relt webhooks set slack\`.`,
          ),
        ]
      : []),
    ...(account.delivers_notifications === false
      ? [warning('Notifications are queued and not sent: delivery is not set up on this server.')]
      : []),
  ]
}
