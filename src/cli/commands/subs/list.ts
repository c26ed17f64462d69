import type { ReceivedDashboard, ReceivedSubscription } from '../../../contract/received/subscription.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { channelTone } from '../../../views/subscription.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { channelsFor, deliveryRemarks } from './channels.ts'
import { withLabel } from './with-label.ts'

export default verb({
  name: 'list',
  summary: 'List your subscriptions',
  examples: ['relt subs list', 'relt subs list --label production', 'relt subs list --json'],
  options: {
    '--label <label>': 'only subscriptions with this label',
  },
  run: async (cli, { label }) => {
    const client = await cli.context.client()
    const [found, account] = await Promise.all([client.call('listSubscriptions', {}), client.call('getDashboard', {})])
    const { subscriptions } = label === undefined ? found : { subscriptions: withLabel(found.subscriptions, label) }
    await show(cli, {
      body: label === undefined ? found : { ...found, subscriptions, subscription_count: subscriptions.length },
      rows: subscriptions,
      columns: (io, now) => toColumns(io, now, account),
      remarks: deliveryRemarks(subscriptions, account),
      empty:
        label === undefined || found.subscriptions.length === 0
          ? 'No subscriptions yet. Subscribe: relt subs add PROJECT'
          : `No subscription has the label ${label}.`,
    })
  },
})

const toColumns = (io: Io, now: number, account: ReceivedDashboard): Column<ReceivedSubscription>[] => [
  { title: titles.id, value: (subscription) => String(subscription.product_id), align: 'right' },
  { title: titles.project, value: (subscription) => subscription.name, style: (cell) => io.color.bold(cell), min: 10 },
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
  { title: titles.labels, value: ({ labels }) => labels?.map((label) => label.label_name).join(', ') || null, min: 8 },
]
