import type { ReceivedDeliveryLog } from '../../../contract/received/subscription.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { when } from '../../../util/ago.ts'
import { deliveryTones } from '../../../views/outcome.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { verb } from '../../program/verb.ts'

export default verb({
  name: 'logs',
  summary: 'List recent notifications and their state',
  examples: ['relt dashboard logs', 'relt dashboard logs --limit 100'],
  options: {
    '-n, --limit <count>': { help: 'notifications to show, at most 100 (default: 8)', parse: wholeNumber(100) },
  },
  run: async (cli, query) => {
    const client = await cli.context.client()
    const found = await client.call('getDashboardLogs', { query })
    await show(cli, { body: found, rows: found.logs, columns, empty: 'No notification has been sent yet.' })
  },
})

const columns = (io: Io, now: number): Column<ReceivedDeliveryLog>[] => [
  { title: titles.created, value: (log) => when(log.created_at, { isTerminal: io.isTerminal, now }), min: 8 },
  { title: titles.kind, value: (log) => log.kind ?? null },
  { title: titles.channel, value: (log) => log.channel },
  { title: titles.project, value: (log) => log.name, style: (cell) => io.color.bold(cell), min: 10 },
  { title: titles.version, value: (log) => log.version, min: 8 },
  {
    title: titles.status,
    value: statusFor,
    style: (cell, { status }) => (status === null ? cell : paint(io, deliveryTones[status])(cell)),
  },
  { title: titles.to, value: (log) => log.target || null, min: 12, from: 100 },
  { title: titles.reason, value: (log) => log.error, min: 10 },
]

function statusFor({ status, http_status, attempts }: ReceivedDeliveryLog): string | null {
  if (status === null) return null
  const again = attempts !== null && attempts > 1 ? `, ${attempts} times` : ''
  return http_status === null ? `${status}${again}` : `${status} (${http_status}${again})`
}
