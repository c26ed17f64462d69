import type { Command } from 'commander'
import type { Context } from '../../context.ts'
import type { Subscription } from '../../contract/received/subscription.ts'
import { type Cli, cliOf, newCommand } from '../command.ts'
import type { Io } from '../io.ts'
import { show } from '../output.ts'
import type { Column } from '../table.ts'
import { when } from '../time.ts'
import { withShortWebhooks } from './webhooks.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'The projects you are subscribed to, with webhooks shortened', [
    'relt subs list',
    'relt subs list --json',
  ]).action((_options, command) => run(cliOf(context, command)))
}

export async function runList(cli: Cli): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('listSubscriptions', {})
  const subscriptions = found.subscriptions.map(withShortWebhooks)
  await show(cli, {
    body: { ...found, subscriptions },
    rows: subscriptions,
    columns,
    empty: 'No subscriptions yet. To subscribe: relt subs add PROJECT',
  })
}

const columns = ({ color, isTerminal }: Io, now: number): Column<Subscription>[] => [
  { title: 'Id', value: (subscription) => String(subscription.product_id), align: 'right' },
  { title: 'Project', value: (subscription) => subscription.name, style: (cell) => color.bold(cell), min: 14 },
  { title: 'Latest', value: ({ latest_release }) => latest_release?.version ?? null, min: 8 },
  {
    title: 'Published',
    value: ({ latest_release }) => (latest_release ? when(latest_release.published_at, { isTerminal, now }) : '-'),
    min: 9,
  },
  {
    title: 'Notifies by',
    value: notifiesBy,
    style: (cell, { notifications_paused }) => (notifications_paused ? color.yellow(cell) : cell),
    min: 12,
  },
  { title: 'Labels', value: ({ labels }) => labels?.map((label) => label.label_name).join(', ') || '-', min: 8 },
]

/** `daily e-mail, slack`; whether the account has webhooks, a subscription does not tell. */
function notifiesBy(subscription: Subscription): string {
  if (subscription.notifications_paused) return 'paused'
  const { email_enabled, email_frequency, use_global_webhooks } = subscription
  const own = [
    subscription.slack_webhook && 'slack',
    subscription.teams_webhook && 'teams',
    subscription.generic_webhook && 'webhook',
  ]
  const email = email_frequency === 'per_app' ? 'e-mail' : `${email_frequency} e-mail`
  const ways = [email_enabled && email, ...own, use_global_webhooks && "account's webhooks"].filter((way) => way)
  return ways.join(', ') || '-'
}
