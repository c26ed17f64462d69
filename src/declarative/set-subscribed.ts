import type { Client } from '../client/client.ts'
import { ReltError } from '../errors.ts'

/**
 * Turns a subscription that is not as wanted; returns its id, or null where the server does not say it. Between looking and asking somebody else may have done it:
 * then it went the wrong way, and is turned back. Throws `busy` when that goes on.
 */
export async function setSubscribed(client: Client, product_id: number, wanted: boolean): Promise<number | null> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { subscribed, subscription_id } = await client.call('toggleSubscription', { body: { product_id } })
    if (subscribed === wanted) return subscription_id
  }
  throw new ReltError('busy', 'Somebody else changes this subscription at the same time.', { hint: 'Try again.' })
}
