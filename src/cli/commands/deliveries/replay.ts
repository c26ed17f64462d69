import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type ChannelName, channelNames } from '../../../contract/channels.ts'
import { parseDuration } from '../../../util/duration.ts'
import { formatTimestamp, parseTimestamp } from '../../../util/time.ts'
import { count } from '../../../util/words.ts'
import { sayDone } from '../../output/say.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface ReplayOptions {
  /** A duration or a time. */
  since: string
  channel?: ChannelName
}

export function createCommand(context: Context, run = runReplay): Command {
  return newCommand('replay', 'Send the notifications of a period again', [
    'relt deliveries replay --since 2d',
    'relt deliveries replay --since 2026-11-20 --channel generic',
  ])
    .requiredOption('--since <time>', 'a duration such as 36h or 2d, or a date', checkTime)
    .addOption(new Option('--channel <channel>', 'only on this channel').choices(channelNames))
    .addHelpText('after', "\nToday's settings decide what is sent. See it before: relt notify rehearse")
    .action((options, command) => run(cliOf(context, command), options))
}

function checkTime(text: string): string {
  if (parseDuration(text) !== undefined || parseTimestamp(text) !== undefined) return text
  throw new InvalidArgumentError('Use a duration such as 2d, or a date such as 2026-01-31.')
}

export async function runReplay(cli: Cli, { since, channel }: ReplayOptions): Promise<void> {
  const seconds = parseDuration(since)
  const from = seconds === undefined ? parseTimestamp(since)! : cli.context.now() - seconds
  const client = await cli.context.client()
  const body = { since: formatTimestamp(from), ...(channel && { channel }) }
  const answer = await client.call('replayDeliveries', { body })
  await sayDone(cli, `Queued ${count(answer.deliveries, 'notification')}`, answer)
}
