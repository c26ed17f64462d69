import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { doEach } from '../../program/each.ts'
import { chooseSubscription, getSubscription, listSubscriptions } from './find.ts'

/** Finds projects by name or id, or prompts for one if none is named. */
export async function setPaused(cli: Cli, idsOrNames: string[], paused: boolean): Promise<void> {
  const names = idsOrNames.length > 0 ? idsOrNames : [await chooseSubscription(cli)]
  const client = await cli.context.client()
  const all = await listSubscriptions(client)
  const set = async (idOrName: string) => {
    const { id: subscription_id, product_id, name, notifications_paused } = await getSubscription(cli, all, idOrName)
    const changed = notifications_paused !== paused
    if (changed) await client.call('updateSettings', { body: { subscription_id, notifications_paused: paused } })
    const state = paused ? 'paused' : 'on'
    say(cli, `Notifications about ${name} are ${changed ? `${state} now` : `${state} already`}`)
    return { product_id, name, subscription_id, notifications_paused: paused, changed }
  }
  await doEach(names, set, (results) => show(cli, { body: { success: true, results } }))
}
