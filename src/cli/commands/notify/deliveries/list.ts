import { channelNames } from '../../../../contract/channels.ts'
import { deliveryStates } from '../../../../contract/choices.ts'
import type { DeliveryRecord } from '../../../../contract/delivery.ts'
import { paint } from '../../../../render/terminal/draw.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { when } from '../../../../util/ago.ts'
import { deliveryTones } from '../../../../views/outcome.ts'
import { titles } from '../../../../views/titles.ts'
import type { Io } from '../../../output/io.ts'
import { show } from '../../../output/output.ts'
import { pageOptions, pageQuery } from '../../../output/page.ts'
import { verb } from '../../../program/verb.ts'

export default verb({
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
    const client = await cli.context.client()
    const query = { ...pageQuery(options), ...(state && { state }), ...(channel && { channel }) }
    const found = await client.call('listDeliveries', { query })
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
