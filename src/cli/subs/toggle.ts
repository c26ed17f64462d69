import type { Client } from '../../client/client.ts'
import type { Subscription } from '../../contract/subscription.ts'
import { ReltError } from '../../errors.ts'
import type { Cli } from '../command.ts'
import { doEach } from '../each.ts'
import { show } from '../output.ts'
import { say } from '../say.ts'
import { findProject, listSubscriptions } from './find.ts'

/** The route turns a subscription on or off, whichever it is not. Here it is told which: doing it twice changes nothing. */
export async function setSubscribed(cli: Cli, idsOrNames: string[], wanted: boolean): Promise<void> {
  const client = await cli.context.client()
  const all = await listSubscriptions(client)
  const idOf = new Map(all.map((subscription) => [subscription.product_id, subscription.id]))
  const set = async (idOrName: string) => {
    const { id: product_id, name } = await findProject(client, all, idOrName)
    const changed = wanted !== idOf.has(product_id)
    if (changed) idOf.set(product_id, await toggle(client, product_id, wanted))
    const subscription_id = idOf.get(product_id) ?? null
    if (!wanted) idOf.delete(product_id)
    say(cli, messageOf(name, wanted, changed))
    return { product_id, name, subscribed: wanted, subscription_id, changed }
  }
  await doEach(idsOrNames, set, (results) => show(cli, { body: { success: true, results } }))
}

/** Between looking and asking somebody else may have done it: then it went the wrong way, and is turned back. */
async function toggle(client: Client, product_id: number, wanted: boolean): Promise<Subscription['id']> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const answer = await client.call('toggleSubscription', { body: { product_id } })
    if (answer.subscribed === wanted) return answer.subscription_id
  }
  throw new ReltError('busy', 'Somebody else changes this subscription at the same time.', { hint: 'Try again.' })
}

function messageOf(name: string, subscribed: boolean, changed: boolean): string {
  if (subscribed) return changed ? `Subscribed to ${name}` : `Already subscribed to ${name}`
  return changed ? `No longer subscribed to ${name}` : `Was not subscribed to ${name}`
}
