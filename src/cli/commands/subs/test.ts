import { type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type ChannelName, channelNames } from '../../../contract/channels.ts'
import type { ReceivedTestResult } from '../../../contract/received/subscription.ts'
import { ReltError } from '../../../errors.ts'
import type { Column } from '../../../render/terminal/table.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { getSubscription, listSubscriptions } from './find.ts'

export interface TestOptions {
  channel?: ChannelName
}

export function createCommand(context: Context, run = runTest): Command {
  return newCommand('test', 'Send a test notification', [
    'relt subs test argo-cd',
    'relt subs test argo-cd --channel slack',
    'relt subs test',
  ])
    .argument('[project]', "slug, name or id (default: test the account's channels)")
    .addOption(new Option('--channel <channel>', 'only this channel').choices(channelNames))
    .action((project, options, command) => run(cliOf(context, command), project, options))
}

export async function runTest(cli: Cli, idOrName: string | undefined, { channel }: TestOptions): Promise<void> {
  const client = await cli.context.client()
  const subscription =
    idOrName === undefined ? undefined : await getSubscription(cli, await listSubscriptions(client), idOrName)
  const body = { ...(subscription && { subscription_id: subscription.id }), ...(channel && { channel }) }
  const found = await client.call('testNotification', { body })
  await show(cli, {
    body: found,
    ...(found.results ? { rows: found.results } : { text: () => 'Sent. The server does not report the result.\n' }),
    columns,
    empty: 'No channel is configured: no email address and no webhook.',
  })
  if (found.results) requireDelivered(found.results)
}

/** A test without a recipient has failed. */
function requireDelivered(results: ReceivedTestResult[]): void {
  if (results.some(({ delivered }) => delivered)) return
  if (results.length === 0) {
    throw new ReltError('not_delivered', 'No test notification was sent.', {
      hint: 'Set a webhook of your account: relt webhooks set slack',
    })
  }
  const reasons = new Set(
    results.map(({ channel, error, http_status }) => `${channel ?? '-'}: ${reasonOf(error, http_status)}`),
  )
  throw new ReltError('not_delivered', `No test notification was delivered (${[...reasons].join('; ')}).`, {
    hint: 'Change the channel with `relt subs set`, or set up delivery on the server.',
  })
}

function reasonOf(error: string | null, status: number | null): string {
  return error ?? (status === null ? 'no answer' : `HTTP status ${status}`)
}

const columns = ({ color }: Io): Column<ReceivedTestResult>[] => [
  { title: 'Channel', value: (result) => result.channel },
  {
    title: 'Delivered',
    value: ({ delivered }) => (delivered === null ? null : delivered ? 'yes' : 'no'),
    style: (cell, result) => (result.delivered ? color.green(cell) : color.yellow(cell)),
  },
  { title: 'Status', value: (result) => (result.http_status === null ? null : String(result.http_status)) },
  { title: 'Reason', value: (result) => result.error, min: 20 },
]
