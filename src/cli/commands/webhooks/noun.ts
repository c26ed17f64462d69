import { webhookChannels } from '../../../contract/channels.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { noun, verb } from '../../program/verb.ts'
import { getSubscription, listSubscriptions } from '../subs/find.ts'
import { chosenTeam } from '../teams/current.ts'
import set from './set.ts'

interface ShownWebhook {
  /** Null for the account's webhook. */
  project: string | null
  channel: string
  /** Shortened, because anyone who knows it can post there. */
  url: string
  release_types: string | null
}

const list = verb({
  name: 'list',
  summary: 'List the webhooks of your account and subscriptions, with shortened URLs',
  examples: ['relt webhooks list', 'relt webhooks list -o csv'],
  run: async (cli) => {
    const team = await chosenTeam(cli)
    const [account, { subscriptions }] = await Promise.all([
      cli.call('getDashboard', {}),
      cli.call('listSubscriptions', {}),
    ])
    const of = (owner: typeof account | (typeof subscriptions)[number], project: string | null) =>
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
  { title: titles.channel, value: member('channel') },
  { title: titles.url, value: member('url'), min: 16 },
  { title: 'Release types', value: member('release_types') },
]

const rotateSecret = verb({
  name: 'rotate-secret',
  summary: 'Create a new signing secret for the generic webhook',
  examples: ['relt webhooks rotate-secret', 'relt webhooks rotate-secret --project argo-cd > secret.txt'],
  options: {
    '--project <project>': 'slug, name or id of a project that you follow (default: the account)',
  },
  /** Only the secret goes to standard output, so that a pipe gets nothing else. */
  run: async (cli, { project }) => {
    const subscription =
      project === undefined ? undefined : await getSubscription(cli, await listSubscriptions(cli), project)
    const body = await cli.call('rotateWebhookSecret', {
      body: { ...(subscription && { subscription_id: subscription.id }) },
    })
    await show(cli, { body, text: () => `${body.secret}\n` })
    if (cli.json) return
    const previous = body.previous_valid_until
    const until = previous === null ? '' : ` The previous secret also signs until ${previous} UTC.`
    cli.io.err(cli.io.errColor.dim(`Save it now. It is not shown again.${until}\n`))
  },
})

export default noun({
  examples: ['relt webhooks set slack', 'relt webhooks rotate-secret'],
  verbs: [list, set, rotateSecret],
})
