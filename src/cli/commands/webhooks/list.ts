import { webhookChannels } from '../../../contract/channels.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { chosenTeam } from '../teams/current.ts'

interface ShownWebhook {
  /** Null: the webhook is the account's. */
  project: string | null
  channel: string
  /** Shortened, because anyone who reads it can post there. */
  url: string
  release_types: string | null
}

export default verb({
  name: 'list',
  summary: 'List the webhooks of your account and subscriptions, with shortened URLs',
  examples: ['relt webhooks list', 'relt webhooks list -o csv'],
  run: async (cli) => {
    const client = await cli.context.client()
    const team = await chosenTeam(cli)
    const [account, { subscriptions }] = await Promise.all([
      client.call('getDashboard', {}),
      client.call('listSubscriptions', {}),
    ])
    const of = (owner: typeof account | (typeof subscriptions)[number], project: string | null): ShownWebhook[] =>
      webhookChannels.flatMap(({ field, title }) => {
        const url = owner[field]?.toString()
        return url ? [{ project, channel: title.toLowerCase(), url, release_types: owner.webhook_release_types }] : []
      })
    const webhooks = [...of(account, null), ...subscriptions.flatMap((each) => of(each, each.name))]
    await show(cli, {
      body: { success: true, items: webhooks },
      rows: webhooks,
      columns: () => columnsFor(team ? `team ${team}` : 'account'),
      empty: `No webhooks yet. Set one: relt webhooks set slack${team ? ` --team ${team}` : ''}`,
    })
  },
})

const columnsFor = (whose: string): Column<ShownWebhook>[] => [
  { title: 'For', value: ({ project }) => project ?? whose, min: 10 },
  { title: titles.channel, value: ({ channel }) => channel },
  { title: titles.url, value: ({ url }) => url, min: 16 },
  { title: 'Release types', value: ({ release_types }) => release_types },
]
