import { setSubscribed } from '../../../declarative/set-subscribed.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { doEach } from '../../program/each.ts'
import { findProject, listSubscriptions } from './find.ts'

/** Makes the toggling route idempotent: sets a subscription to the wanted state. */
export async function toggleAll(cli: Cli, idsOrNames: string[], wanted: boolean): Promise<void> {
  const client = await cli.context.client()
  const all = await listSubscriptions(client)
  const toId = new Map(all.map((subscription) => [subscription.product_id, subscription.id]))
  const set = async (idOrName: string) => {
    const { id: product_id, name } = await findProject(cli, all, idOrName)
    const changed = wanted !== toId.has(product_id)
    if (changed) toId.set(product_id, await setSubscribed(client, product_id, wanted))
    const subscription_id = toId.get(product_id) ?? null
    if (!wanted) toId.delete(product_id)
    say(cli, formatMessage(name, wanted, changed))
    return { product_id, name, subscribed: wanted, subscription_id, changed }
  }
  await doEach(idsOrNames, set, (results) => show(cli, { body: { success: true, results } }))
}

function formatMessage(name: string, subscribed: boolean, changed: boolean): string {
  if (subscribed) return changed ? `Subscribed to ${name}` : `Already subscribed to ${name}`
  return changed ? `No longer subscribed to ${name}` : `Was not subscribed to ${name}`
}
