import { channelNames } from '../../../contract/channels.ts'
import { eventTypes } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import { formatNames } from '../../../notify/generic/format-names.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { Secret } from '../../../util/secret.ts'
import { show } from '../../output/output.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'preview',
  summary: 'Show an example of a notification',
  examples: [
    'relt notify preview release.security --channel slack',
    'relt notify preview digest --channel generic --format discord --json',
    'relt notify preview digest --channel email --jq .html > mail.html',
  ],
  args: [['<event>', 'event of the example', { choices: eventTypes }]],
  options: {
    '--channel <channel>': { help: 'channel to render for', choices: channelNames, default: 'email' },
    '--format <format>': { help: 'format of the generic webhook', choices: formatNames },
  },
  /** Terminals show the texts; data formats show the payloads. */
  run: async (cli, event, { channel, format }) => {
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
  },
})
