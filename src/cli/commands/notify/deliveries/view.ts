import type { DeliveryRecord } from '../../../../contract/delivery.ts'
import { paint } from '../../../../render/terminal/draw.ts'
import type { Column } from '../../../../render/terminal/table.ts'
import { when } from '../../../../util/ago.ts'
import { deliveryTones } from '../../../../views/outcome.ts'
import type { Io } from '../../../output/io.ts'

export const deliveryColumns = (io: Io, now: number): Column<DeliveryRecord>[] => [
  { title: 'ID', value: (one) => one.delivery_id, min: 28 },
  { title: 'Created', value: (one) => when(one.created_at, { isTerminal: io.isTerminal, now }), min: 8 },
  { title: 'Kind', value: (one) => one.kind },
  { title: 'Channel', value: (one) => one.channel },
  { title: 'Project', value: (one) => one.name, style: (cell) => io.color.bold(cell), min: 10 },
  { title: 'Version', value: (one) => one.version, min: 8, from: 100 },
  { title: 'State', value: (one) => one.state, style: (cell, { state }) => paint(io, deliveryTones[state])(cell) },
  { title: 'Attempts', value: (one) => String(one.attempts) },
  { title: 'Reason', value: (one) => one.reason, min: 10, from: 100 },
]
