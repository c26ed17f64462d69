import { channelNames } from '../../../../contract/channels.ts'
import { deliveryStates } from '../../../../contract/choices.ts'
import { paint } from '../../../../render/terminal/draw.ts'
import { plain } from '../../../../render/terminal/terminal.ts'
import { when } from '../../../../util/ago.ts'
import { deliveryTones } from '../../../../views/outcome.ts'
import { titles } from '../../../../views/titles.ts'
import type { Io } from '../../../output/io.ts'
import { member, show } from '../../../output/output.ts'
import { pageOptions, pageQuery } from '../../../output/page.ts'
import { sayDone } from '../../../output/say.ts'
import { noun, verb } from '../../../program/verb.ts'

const list = verb({
  name: 'list',
  summary: 'List notifications and their state, newest first',
  examples: ['relt notify deliveries list', 'relt notify deliveries list --state dead --channel slack'],
  options: {
    '--state <state>': { help: 'only in this state', choices: deliveryStates },
    '--channel <channel>': { help: 'only of this channel', choices: channelNames },
    ...pageOptions,
  },
  run: async (cli, options) => {
    const { state, channel } = options
    const found = await cli.call('listDeliveries', {
      query: { ...pageQuery(options), ...(state && { state }), ...(channel && { channel }) },
    })
    await show(cli, {
      body: found,
      rows: found.items,
      columns: (io, now) => [
        { title: titles.id, value: member('delivery_id'), min: 28 },
        { title: titles.created, value: (one) => when(one.created_at, { isTerminal: io.isTerminal, now }), min: 8 },
        { title: titles.kind, value: member('kind') },
        { title: titles.channel, value: member('channel') },
        { title: titles.project, value: member('name'), style: io.color.bold, min: 10 },
        { title: titles.version, value: member('version'), min: 8, from: 100 },
        {
          title: titles.state,
          value: member('state'),
          style: (cell, { state }) => paint(io, deliveryTones[state])(cell),
        },
        { title: titles.attempts, value: member('attempts') },
        { title: titles.reason, value: member('reason'), min: 10, from: 100 },
      ],
      page: found,
      empty: 'No notifications.',
    })
  },
})

const showDelivery = verb({
  name: 'show',
  summary: 'Show a notification and its events',
  examples: [
    'relt notify deliveries show msg_2b7f0c9d4e1a65830f124c5d',
    'relt notify deliveries show msg_2b7f0c9d4e1a65830f124c5d --json',
  ],
  args: [['<id>', 'id of the notification']],
  run: async (cli, id) => {
    const found = await cli.call('getDelivery', { params: { delivery_id: id } })
    const { name, version } = found
    const lines: [string, string | null][] = [
      ['State', found.state],
      ['Reason', found.reason],
      ['Kind', found.kind],
      ['Channel', found.channel],
      ['To', found.target],
      ['Project', name === null ? null : [name, version].filter(Boolean).join(' ')],
      ['Created', found.created_at],
      ['Attempts', String(found.attempts)],
      ['HTTP status', found.http_status === null ? null : String(found.http_status)],
      ['Next attempt', found.next_attempt_at],
      ['Finished', found.finished_at],
      ...found.events.map(({ type, at }): [string, string] => ['Event', `${type} at ${at}`]),
    ]
    const render = ({ color }: Io) =>
      [
        `${color.bold(plain(found.delivery_id))}\n\n`,
        ...lines.map(([label, text]) => `  ${color.dim(label.padEnd(14))}${plain(text || '-')}\n`),
      ].join('')
    await show(cli, { body: found, text: render })
  },
})

const retry = verb({
  name: 'retry',
  summary: 'Send a notification again',
  examples: ['relt notify deliveries retry msg_2b7f0c9d4e1a65830f124c5d'],
  args: [['<id>', 'id of the notification']],
  run: async (cli, delivery_id) => {
    const saved = await cli.call('retryDelivery', { params: { delivery_id } })
    await sayDone(cli, `${saved.delivery_id} is ${saved.state}`, saved)
  },
})

export default noun({
  name: 'deliveries',
  summary: 'List, show and retry notifications',
  examples: ['relt notify deliveries list --state dead'],
  verbs: [list, showDelivery, retry],
  defaultVerb: list,
})
