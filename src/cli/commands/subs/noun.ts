import { setSubscribed } from '../../../declarative/set-subscribed.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { when } from '../../../util/ago.ts'
import { channelTone } from '../../../views/subscription.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { say } from '../../output/say.ts'
import type { Cli } from '../../program/command.ts'
import { doEach } from '../../program/each.ts'
import { noun, verb } from '../../program/verb.ts'
import { chooseProjects } from '../projects/resolve.ts'
import { channelsFor, deliveryRemarks } from './channels.ts'
import { chooseSubscription, findProject, listSubscriptions } from './find.ts'
import setSubscription from './set.ts'
import { withLabel } from './with-label.ts'

export const list = verb({
  name: 'list',
  summary: 'List your subscriptions',
  examples: ['relt subs list', 'relt subs list --label production', 'relt subs list --json'],
  options: {
    '--label <label>': 'only subscriptions with this label',
  },
  run: async (cli, { label }) => {
    const [found, account] = await Promise.all([cli.call('listSubscriptions', {}), cli.call('getDashboard', {})])
    const { subscriptions } = label === undefined ? found : { subscriptions: withLabel(found.subscriptions, label) }
    await show(cli, {
      body: label === undefined ? found : { ...found, subscriptions, subscription_count: subscriptions.length },
      rows: subscriptions,
      columns: (io, now) => [
        { title: titles.id, value: member('product_id'), align: 'right' },
        { title: titles.project, value: member('name'), style: io.color.bold, min: 10 },
        { title: titles.latest, value: ({ latest_release }) => latest_release?.version ?? null, min: 8 },
        {
          title: titles.published,
          value: ({ latest_release }) =>
            latest_release ? when(latest_release.published_at, { isTerminal: io.isTerminal, now }) : null,
          min: 9,
        },
        {
          title: titles.channels,
          value: (subscription) =>
            subscription.notifications_paused ? 'paused' : channelsFor(subscription, account).join(', ') || null,
          style: (cell, subscription) => paint(io, channelTone(subscription))(cell),
          min: 12,
        },
        {
          title: titles.labels,
          value: ({ labels }) => labels?.map((label) => label.label_name).join(', ') || null,
          min: 8,
        },
      ],
      remarks: deliveryRemarks(subscriptions, account),
      empty:
        label === undefined || found.subscriptions.length === 0
          ? 'No subscriptions yet. Subscribe: relt subs add PROJECT'
          : `No subscription has the label ${label}.`,
    })
  },
})

/** Makes the toggling route idempotent: sets a subscription to the wanted state. */
async function toggleAll(cli: Cli, idsOrNames: string[], wanted: boolean) {
  const all = await listSubscriptions(cli)
  const toId = new Map(all.map((subscription) => [subscription.product_id, subscription.id]))
  const set = async (idOrName: string) => {
    const { id: product_id, name } = await findProject(cli, all, idOrName)
    const changed = wanted !== toId.has(product_id)
    if (changed) toId.set(product_id, await setSubscribed(cli, product_id, wanted))
    const subscription_id = toId.get(product_id) ?? null
    if (!wanted) toId.delete(product_id)
    say(cli, formatMessage(name, wanted, changed))
    return { product_id, name, subscribed: wanted, subscription_id, changed }
  }
  await doEach(idsOrNames, set, (results) => show(cli, { body: { success: true, results } }))
}

function formatMessage(name: string, subscribed: boolean, changed: boolean) {
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

export default noun({
  examples: ['relt subs add argo-cd nginx', 'relt subs set argo-cd --email-frequency weekly'],
  verbs: [list, add, remove, setSubscription],
})
