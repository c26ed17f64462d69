import { Argument, type Command, Option } from 'commander'
import type { Context } from '../../../context.ts'
import { type ChannelName, channelNames } from '../../../contract/channels.ts'
import { type EventType, eventTypes } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import { formatNames } from '../../../notify/generic/format-names.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { Secret } from '../../../util/secret.ts'
import { show } from '../../output/output.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'

export interface PreviewOptions {
  channel: ChannelName
  format?: string
}

export function createCommand(context: Context, run = runPreview): Command {
  return newCommand('preview', 'Show an example of a notification', [
    'relt notify preview release.security --channel slack',
    'relt notify preview digest --channel generic --format discord --json',
    'relt notify preview digest --channel email --jq .html > mail.html',
  ])
    .addArgument(new Argument('<event>', 'event of the example').choices(eventTypes))
    .addOption(new Option('--channel <channel>', 'channel to render for').choices(channelNames).default('email'))
    .addOption(new Option('--format <format>', 'format of the generic webhook').choices(formatNames))
    .action((event, options, command) => run(cliOf(context, command), event, options))
}

/** Terminals get the texts; data formats get what would be sent. */
export async function runPreview(cli: Cli, event: EventType, { channel, format }: PreviewOptions): Promise<void> {
  if (format !== undefined && channel !== 'generic') {
    throw new ReltError('usage', `The channel ${channel} has no formats.`, { hint: 'Add --channel generic.' })
  }
  const [{ sampleMessage }, { shownLines }, delivery] = await Promise.all([
    import('../../../notify/sample.ts'),
    import('../../../notify/shown.ts'),
    import('../../../notify/index.ts').then(({ deliveries }) => deliveries[channel]()),
  ])
  const target = format && new Secret(`https://hooks.example/relt#format=${format}`, () => '…')
  const rendered = delivery.render(sampleMessage(event, cli.context.now()), target || undefined)
  const { kind: _, ...mail } = rendered
  await show(cli, {
    body: rendered.kind === 'mail' ? mail : { content_type: rendered.contentType, body: JSON.parse(rendered.body) },
    text: () => `${shownLines(rendered).map(plain).join('\n')}\n`,
  })
}
