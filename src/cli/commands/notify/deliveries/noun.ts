import { InvalidArgumentError } from 'commander'
import { channelNames } from '../../../../contract/channels.ts'
import { deliveryStates } from '../../../../contract/choices.ts'
import type { DeliveryRecord } from '../../../../contract/delivery.ts'
import { paint } from '../../../../render/terminal/draw.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { plain } from '../../../../render/terminal/terminal.ts'
import { when } from '../../../../util/ago.ts'
import { parseDuration } from '../../../../util/duration.ts'
import { formatTimestamp, parseTimestamp } from '../../../../util/time.ts'
import { count } from '../../../../util/words.ts'
import { deliveryTones } from '../../../../views/outcome.ts'
import { titles } from '../../../../views/titles.ts'
import type { Io } from '../../../output/io.ts'
import { show } from '../../../output/output.ts'
import { pageOptions, pageQuery } from '../../../output/page.ts'
import { sayDone } from '../../../output/say.ts'
import type { Cli } from '../../../program/command.ts'
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
    const query = { ...pageQuery(options), ...(state && { state }), ...(channel && { channel }) }
    const found = await cli.call('listDeliveries', { query })
    await show<DeliveryRecord>(cli, {
      body: found,
      rows: found.items,
      columns: deliveryColumns,
      page: found,
      empty: 'No notifications.',
    })
  },
})

const deliveryColumns = (io: Io, now: number): Column<DeliveryRecord>[] => [
  { title: titles.id, value: (one) => one.delivery_id, min: 28 },
  { title: titles.created, value: (one) => when(one.created_at, { isTerminal: io.isTerminal, now }), min: 8 },
  { title: titles.kind, value: (one) => one.kind },
  { title: titles.channel, value: (one) => one.channel },
  { title: titles.project, value: (one) => one.name, style: (cell) => io.color.bold(cell), min: 10 },
  { title: titles.version, value: (one) => one.version, min: 8, from: 100 },
  { title: titles.state, value: (one) => one.state, style: (cell, { state }) => paint(io, deliveryTones[state])(cell) },
  { title: titles.attempts, value: (one) => String(one.attempts) },
  { title: titles.reason, value: (one) => one.reason, min: 10, from: 100 },
]

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

type Change = (cli: Cli, params: { delivery_id: string }) => Promise<Pick<DeliveryRecord, 'delivery_id' | 'state'>>

const changing = (name: string, summary: string, change: Change) =>
  verb({
    ...{ name, summary },
    examples: [`relt notify deliveries ${name} msg_2b7f0c9d4e1a65830f124c5d`],
    args: [['<id>', 'id of the notification']],
    run: async (cli, delivery_id) => {
      const saved = await change(cli, { delivery_id })
      await sayDone(cli, `${saved.delivery_id} is ${saved.state}`, saved)
    },
  })

const retry = changing('retry', 'Send a notification again', (cli, params) => cli.call('retryDelivery', { params }))
const drop = changing('drop', 'Cancel a queued notification', (cli, params) => cli.call('dropDelivery', { params }))

const replay = verb({
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
    const body = { since: formatTimestamp(from), ...(channel && { channel }) }
    const answer = await cli.call('replayDeliveries', { body })
    await sayDone(cli, `Queued ${count(answer.deliveries, 'notification')}`, answer)
  },
})

function checkTime(text: string): string {
  if (parseDuration(text) !== undefined || parseTimestamp(text) !== undefined) return text
  throw new InvalidArgumentError('Use a duration such as 2d, or a date such as 2026-01-31.')
}

export default noun({
  name: 'deliveries',
  summary: 'List, retry and drop notifications',
  examples: ['relt notify deliveries list --state dead', 'relt notify deliveries replay --since 2d'],
  verbs: [list, showDelivery, retry, drop, replay],
  defaultVerb: list,
})
