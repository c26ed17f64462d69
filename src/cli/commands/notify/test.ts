import { channelNames } from '../../../contract/channels.ts'
import type { ReceivedTestResult } from '../../../contract/received/subscription.ts'
import { ReltError } from '../../../errors.ts'
import { paint } from '../../../render/terminal/draw.ts'
import { triedTone } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import { member, show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'
import { getSubscription, listSubscriptions } from '../subs/find.ts'

export default verb({
  name: 'test',
  summary: 'Send a test notification',
  examples: ['relt notify test argo-cd', 'relt notify test argo-cd --channel slack', 'relt notify test'],
  args: [['[project]', "slug, name or id (default: test the account's channels)"]],
  options: {
    '--channel <channel>': { help: 'only this channel', choices: channelNames },
  },
  run: async (cli, idOrName, { channel }) => {
    const subscription =
      idOrName === undefined ? undefined : await getSubscription(cli, await listSubscriptions(cli), idOrName)
    const found = await cli.call('testNotification', {
      body: { ...(subscription && { subscription_id: subscription.id }), ...(channel && { channel }) },
    })
    await show(cli, {
      body: found,
      ...(found.results ? { rows: found.results } : { text: () => 'Sent. The server does not report the result.\n' }),
      columns: (io) => [
        { title: titles.channel, value: member('channel') },
        {
          title: 'Delivered',
          value: ({ delivered }) => (delivered === null ? null : delivered ? 'yes' : 'no'),
          style: (cell, { delivered }) => (delivered === null ? cell : paint(io, triedTone(delivered))(cell)),
        },
        { title: titles.status, value: member('http_status') },
        { title: titles.reason, value: member('error'), min: 20 },
      ],
      empty: 'No channel is configured: no email address and no webhook.',
    })
    if (found.results) requireDelivered(found.results)
  },
})

/** Fails if a test has no recipient, or a channel did not deliver it. */
function requireDelivered(all: ReceivedTestResult[]) {
  const results = all.filter(({ delivered }) => delivered !== true)
  if (all.length > 0 && results.length === 0) return
  if (results.length === 0) {
    throw new ReltError('not_delivered', 'No test notification was sent.', {
      hint: 'Set a webhook of your account: relt webhooks set slack',
    })
  }
  const reasons = results.map(({ channel, error, http_status: status }) => {
    const reason = error ?? (status === null ? 'no answer' : `HTTP status ${status}`)
    return `${channel ?? '-'}: ${reason}`
  })
  const many = results.length === all.length ? 'No test notification' : 'Not every test notification'
  throw new ReltError('not_delivered', `${many} was delivered (${[...new Set(reasons)].join('; ')}).`, {
    hint: 'Change the channel with `relt webhooks set` or `relt subs set`, or set up delivery on the server.',
  })
}
