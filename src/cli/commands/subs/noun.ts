import { setSubscribed } from '../../../declarative/set-subscribed.ts'
import { show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { doEach } from '../../program/each.ts'
import { noun, verb } from '../../program/verb.ts'
import { chooseProjects } from '../projects/resolve.ts'
import { chooseSubscription, findProject, getSubscription, listSubscriptions } from './find.ts'
import list from './list.ts'
import setSubscription from './set.ts'

/** Finds projects by name or id, or prompts for one if none is named. */
async function setPaused(cli: Cli, idsOrNames: string[], paused: boolean): Promise<void> {
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

/** Makes the toggling route idempotent: sets a subscription to the wanted state. */
async function toggleAll(cli: Cli, idsOrNames: string[], wanted: boolean): Promise<void> {
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

export const add = verb({
  name: 'add',
  summary: 'Subscribe to projects',
  examples: ['relt subs add argo-cd', 'relt subs add argo-cd nginx 42'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: async (cli, projects) => {
    await toggleAll(cli, projects.length > 0 ? projects : await chooseProjects(cli), true)
  },
})

export const remove = verb({
  name: 'remove',
  summary: 'Unsubscribe from projects and delete the settings',
  examples: ['relt subs remove argo-cd', 'relt subs remove argo-cd nginx 42'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: async (cli, projects) => {
    await toggleAll(cli, projects.length > 0 ? projects : [await chooseSubscription(cli)], false)
  },
})

export const pause = verb({
  name: 'pause',
  summary: 'Pause notifications about projects',
  examples: ['relt subs pause argo-cd', 'relt subs pause argo-cd nginx'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: (cli, projects) => setPaused(cli, projects, true),
})

export const resume = verb({
  name: 'resume',
  summary: 'Resume notifications about projects',
  examples: ['relt subs resume argo-cd', 'relt subs resume argo-cd nginx'],
  args: [['[projects...]', 'slugs, names or ids']],
  run: (cli, projects) => setPaused(cli, projects, false),
})

export default noun({
  examples: ['relt subs add argo-cd nginx', 'relt subs set argo-cd --email-frequency weekly'],
  verbs: [list, add, remove, setSubscription, pause, resume],
})
