import type { RouteCaller } from '../client/client.ts'
import { ReltError } from '../errors.ts'

/**
 * Toggles a subscription that is not in the wanted state; returns its id, or null if the server does not return it. If
 * another client toggled it in between, toggles it back. Throws `busy` if that repeats.
 */
export async function setSubscribed(client: RouteCaller, product_id: number, wanted: boolean) {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { subscribed, subscription_id } = await client.call('toggleSubscription', { body: { product_id } })
    if (subscribed === wanted) return subscription_id
  }
  throw new ReltError('busy', 'Somebody else changes this subscription at the same time.', { hint: 'Try again.' })
}
