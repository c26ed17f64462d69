import { plain } from '../../../../render/terminal/terminal.ts'
import type { Io } from '../../../output/io.ts'
import { show } from '../../../output/output.ts'
import type { Cli } from '../../../program/command.ts'
import { verb } from '../../../program/verb.ts'

export default verb({
  name: 'show',
  summary: 'Show a notification and its events',
  examples: [
    'relt notify deliveries show msg_2b7f0c9d4e1a65830f124c5d',
    'relt notify deliveries show msg_2b7f0c9d4e1a65830f124c5d --json',
  ],
  args: [['<id>', 'id of the notification']],
  run: runShow,
})

async function runShow(cli: Cli, id: string): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('getDelivery', { params: { delivery_id: id } })
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
}
