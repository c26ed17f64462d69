import { InvalidArgumentError } from 'commander'
import { channelNames } from '../../../../contract/channels.ts'
import { parseDuration } from '../../../../util/duration.ts'
import { formatTimestamp, parseTimestamp } from '../../../../util/time.ts'
import { count } from '../../../../util/words.ts'
import { sayDone } from '../../../output/say.ts'
import { verb } from '../../../program/verb.ts'

export default verb({
  name: 'replay',
  summary: 'Send the notifications of a period again',
  examples: [
    'relt notify deliveries replay --since 2d',
    'relt notify deliveries replay --since 2026-11-20 --channel generic',
  ],
  options: {
    '--since <time>': { help: 'a duration such as 36h or 2d, or a date', parse: checkTime, required: true },
    '--channel <channel>': { help: 'only on this channel', choices: channelNames },
  },
  epilog: "Today's settings decide what is sent. See it before: relt notify rehearse",
  run: async (cli, { since, channel }) => {
    const seconds = parseDuration(since)
    const from = seconds === undefined ? parseTimestamp(since)! : cli.context.now() - seconds
    const client = await cli.context.client()
    const body = { since: formatTimestamp(from), ...(channel && { channel }) }
    const answer = await client.call('replayDeliveries', { body })
    await sayDone(cli, `Queued ${count(answer.deliveries, 'notification')}`, answer)
  },
})

function checkTime(text: string): string {
  if (parseDuration(text) !== undefined || parseTimestamp(text) !== undefined) return text
  throw new InvalidArgumentError('Use a duration such as 2d, or a date such as 2026-01-31.')
}
