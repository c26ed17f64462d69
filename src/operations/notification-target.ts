import { type ChannelName, channelSecret, eachChannel } from '../contract/channels.ts'
import { email } from '../notify/index.ts'
import type { NewDelivery } from '../store/delivery.ts'
import type { Secret } from '../util/secret.ts'
import type { Webhooks } from './webhook.ts'

/** Nothing sends what is queued. */
export const deliversNotifications = false

const queued = 'queued: delivery is not set up on this server'

export type Targets = Record<ChannelName, Secret | null>

interface AccountTargets {
  email: string | null
  webhooks: Webhooks
}

interface SubscriptionTargets {
  webhooks: Webhooks
  use_global_webhooks: boolean
}

/** A subscription's own webhook comes before that of the account. */
export function targetsOf(account: AccountTargets, subscription: SubscriptionTargets | undefined): Targets {
  const common = !subscription || subscription.use_global_webhooks ? account.webhooks : undefined
  return eachChannel((channel) => {
    if (!channel.isSecret) return emailTarget(account[channel.field])
    return subscription?.webhooks[channel.field] ?? common?.[channel.field] ?? null
  })
}

/** The address of an account, if it has one. */
export function emailTarget(address: string | null): Secret | null {
  return address ? channelSecret(email, address) : null
}

/** Initial state of a notification: queued, or skipped without a target. */
export function stateOf(name: ChannelName, target: Secret | null): Pick<NewDelivery, 'target' | 'status' | 'error'> {
  return target ? { target, status: 'pending', error: queued } : { target, status: 'skipped', error: missing[name] }
}

const missing = eachChannel(({ name, field }) =>
  name === 'email' ? 'the account has no e-mail address' : `no ${field} is set`,
)
