import { type ChannelName, channelNames } from '../contract/channels.ts'
import type { TestResult } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { getNotificationSettings } from '../store/account-settings.ts'
import { insertDeliveries, type NewDelivery } from '../store/delivery.ts'
import { countDigestReleases } from '../store/recent-release.ts'
import { getSubscription } from '../store/subscription.ts'
import { listWebhooks } from '../store/webhook.ts'
import { emailTarget, stateOf, targetsOf } from './notification-target.ts'
import type { Vault } from './vault.ts'
import { openWebhooks } from './webhook.ts'

const periodDays = { daily: 1, weekly: 7 } as const
const daySeconds = 86_400

interface Caller {
  userId: number
  now: number
}

/**
 * Notes a test for each channel that is set up, or for the one that is asked for. A subscription's webhook comes before
 * that of the account. Throws `not_found` for a subscription that is not the user's.
 */
export async function queueTest(
  service: { db: Db; vault: () => Promise<Vault> },
  caller: Caller,
  wanted: { subscriptionId?: number | undefined; channel?: ChannelName | undefined },
): Promise<TestResult[]> {
  const { subscriptionId, channel } = wanted
  const { userId } = caller
  // Before the transaction: the first use of a store makes its key, in one of its own.
  const vault = await service.vault()
  return inTransaction(service.db, async (trx) => {
    const subscription = subscriptionId === undefined ? undefined : await getSubscription(trx, userId, subscriptionId)
    const { email } = await getNotificationSettings(trx, userId)
    const webhooksOf = await openWebhooks(async () => vault, await listWebhooks(trx, userId))
    const targets = targetsOf(
      { email, webhooks: webhooksOf({ userId, subscriptionId: null }) },
      subscription && { ...subscription, webhooks: webhooksOf({ userId, subscriptionId: subscription.id }) },
    )
    const tests = (channel ? [channel] : channelNames.filter((each) => targets[each] !== null)).map(
      (each): NewDelivery => ({
        kind: 'test',
        channel: each,
        ...stateOf(each, targets[each]),
        subscriptionId: subscription?.id,
        projectId: subscription?.projectId,
      }),
    )
    await insertDeliveries(trx, caller, tests)
    return tests.map((test) => ({ channel: test.channel, delivered: false, http_status: null, error: test.error }))
  })
}

/** Queues a digest of the last day or week; returns its number of releases. */
export function queueDigest(db: Db, caller: Caller, frequency: 'daily' | 'weekly'): Promise<number> {
  return inTransaction(db, async (trx) => {
    const since = caller.now - periodDays[frequency] * daySeconds
    const releases = await countDigestReleases(trx, caller.userId, { frequency, since, until: caller.now })
    const { email } = await getNotificationSettings(trx, caller.userId)
    const state = stateOf('email', emailTarget(email))
    const nothing =
      releases === 0 && state.target !== null && ({ status: 'skipped', error: 'no releases to tell of' } as const)
    await insertDeliveries(trx, caller, [{ kind: 'digest', channel: 'email', ...state, ...nothing }])
    return releases
  })
}
