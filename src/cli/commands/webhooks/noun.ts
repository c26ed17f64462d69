import { webhookChannels } from '../../../contract/channels.ts'
import { ReltError } from '../../../errors.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { titles } from '../../../views/titles.ts'
import { readText } from '../../input/read-text.ts'
import { readOrAskSecret } from '../../input/secret.ts'
import { show } from '../../output/output.ts'
import { sayDone } from '../../output/say.ts'
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

const verify = verb({
  name: 'verify',
  summary: 'Verify the signature of a received webhook',
  examples: [
    'relt webhooks verify body.json --id msg_1 --timestamp 1795000000 --signature v1,… --secret-file secret.txt',
  ],
  args: [['<file>', 'body of the webhook, byte for byte; - for standard input']],
  options: {
    '--id <id>': { help: 'header webhook-id', required: true },
    '--timestamp <seconds>': { help: 'header webhook-timestamp', required: true },
    '--signature <signature>': { help: 'header webhook-signature', required: true },
    '--secret-file <file>': 'read the secret from the first line of a file; - for standard input',
  },
  epilog: 'The age of the webhook is not checked. Receivers refuse webhooks older than 5 minutes.',
  /** Throws `unauthenticated` if the signature does not match the secret. */
  run: async (cli, file, options) => {
    const { id, timestamp, signature, secretFile } = options
    if (file === '-' && secretFile === '-') {
      throw new ReltError('usage', 'Standard input can provide only one of body and secret.', {
        hint: 'Read the other one from a file.',
      })
    }
    const body = await readText(cli.context, file)
    const secret = await readOrAskSecret(cli, secretFile, 'signing secret')
    const { problemOfWebhook } = await import('../../../notify/generic/standard/verify.ts')
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
    const problem = problemOfWebhook({ headers, body }, [secret], Number(timestamp))
    if (problem !== undefined) {
      throw new ReltError('unauthenticated', `Do not trust this webhook: ${problem}.`, {
        hint: 'Compare the body byte for byte, and check that the secret is the current one.',
      })
    }
    await sayDone(cli, 'The signature is valid', { success: true, valid: true })
  },
})

const rotateSecret = verb({
  name: 'rotate-secret',
  summary: 'Create a new signing secret for the generic webhook',
  examples: ['relt webhooks rotate-secret', 'relt webhooks rotate-secret --project argo-cd > secret.txt'],
  options: {
    '--project <project>': 'slug, name or id of a project that you follow (default: the account)',
  },
  /** Only the secret goes to standard output, so that a pipe gets nothing else. */
  run: async (cli, { project }) => {
    const client = await cli.context.client()
    const subscription =
      project === undefined ? undefined : await getSubscription(cli, await listSubscriptions(client), project)
    const body = await client.call('rotateWebhookSecret', {
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
  verbs: [list, set, rotateSecret, verify],
})
