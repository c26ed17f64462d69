import { requireStoreAt } from '../../../config/store-place.ts'
import { channelNames } from '../../../contract/channels.ts'
import { eventTypes } from '../../../contract/choices.ts'
import { ReltError } from '../../../errors.ts'
import { formatNames } from '../../../notify/generic/format-names.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { interruptible } from '../../../util/interrupt.ts'
import { Secret } from '../../../util/secret.ts'
import { show } from '../../output/output.ts'
import { say, sayDone } from '../../output/say.ts'
import { requireOwnStore } from '../../program/own-store.ts'
import { noun, verb } from '../../program/verb.ts'
import { accountName } from '../teams/current.ts'
import deliveries from './deliveries/noun.ts'
import { settingOptions, toChanges } from './setting-options.ts'
import test from './test.ts'

const preview = verb({
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
      import('../../../notify/index.ts').then(({ loadDelivery }) => loadDelivery(channel)),
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

const send = verb({
  name: 'send',
  summary: 'Send notifications of the store on this machine',
  examples: [
    'relt notify send --once',
    'RELT_SMTP_URL=smtp://user@mail.example.com RELT_SMTP_PASSWORD_FILE=smtp-password relt notify send',
  ],
  options: {
    '--once': 'send what is due now, then exit',
    '--data <folder>': 'data folder or postgres:// address of the store (default: RELT_HOME, or the platform default)',
  },
  epilog: '`relt serve` sends notifications by itself. Without a server, nothing leaves without this command.',
  run: async (cli, { once, data }) => {
    if (data === undefined) await requireOwnStore(cli.context)
    else requireStoreAt(cli.context.env, data)
    const admin = await cli.context.admin(data)
    if (!once) say(cli, 'Sending notifications until interrupted.')
    const counts = await interruptible((stopped) => admin.sendNotifications({ once, stopped }))
    const parts = [`${counts.sent} sent`, `${counts.failed} failed`, `${counts.skipped} skipped`]
    await sayDone(cli, `Notifications: ${parts.join(', ')}`, { success: true, ...counts })
  },
})

const set = verb({
  name: 'set',
  summary: 'Change the notification settings of your account',
  examples: [
    'relt notify set --time-zone Europe/Berlin --digest-hour 7 --quiet-hours 22:00-07:00',
    'relt notify set --cluster-events all --cluster-scope prod-eu,label:prod',
    'relt notify set --webhook-release-types app',
  ],
  options: settingOptions,
  epilog: 'Set the addresses of webhooks with `relt webhooks set`.',
  run: async (cli, options) => {
    const change = toChanges(options)
    const answer = await cli.call('updateAccountSettings', { body: change })
    await sayDone(cli, `Changed ${Object.keys(change).join(', ')} of ${await accountName(cli)}`, answer)
  },
})

export default noun({
  examples: [
    'relt notify test --channel slack',
    'relt notify preview release.security --channel slack',
    'relt notify send --once',
    'relt notify deliveries --state dead',
  ],
  verbs: [send, preview, test, deliveries, set],
})
