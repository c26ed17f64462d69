import type { Channel } from '../contract/subscription.ts'
import type { AccountTargets } from '../store/account-settings.ts'
import type { NewDelivery } from '../store/delivery.ts'
import type { Settings } from '../store/subscription.ts'
import { shortEmail, shortUrl } from '../util/short-address.ts'

/** Nothing sends what is queued. */
export const deliversNotifications = false

const queued = 'queued: delivery is not set up on this server'

const missing: Record<Channel, string> = {
  email: 'the account has no e-mail address',
  slack: 'no slack_webhook is set',
  teams: 'no teams_webhook is set',
  generic: 'no generic_webhook is set',
}

export const channels = Object.keys(missing) as Channel[]

export type Targets = Record<Channel, string | null>

/** A subscription's own webhook comes before that of the account. */
export function targetsOf(account: AccountTargets, subscription: Settings | undefined): Targets {
  const common = !subscription || subscription.use_global_webhooks ? account : undefined
  return {
    email: account.email || null,
    slack: subscription?.slack_webhook ?? common?.slack_webhook ?? null,
    teams: subscription?.teams_webhook ?? common?.teams_webhook ?? null,
    generic: subscription?.generic_webhook ?? common?.generic_webhook ?? null,
  }
}

/** How a notification begins: it waits, or there is nowhere for it to go. */
export function stateOf(channel: Channel, target: string | null): Pick<NewDelivery, 'target' | 'status' | 'error'> {
  if (target === null) return { target: '', status: 'skipped', error: missing[channel] }
  return { target: channel === 'email' ? shortEmail(target) : shortUrl(target), status: 'pending', error: queued }
}
