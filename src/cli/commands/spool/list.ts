import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { SpoolEntry } from '../../../spool/spool.ts'
import { formatTimestamp } from '../../../util/time.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Column } from '../../output/table.ts'
import { when } from '../../output/time.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSpool } from './open.ts'

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List waiting uploads', ['relt spool list', 'relt spool list --json']).action(
    (_options, command) => run(cliOf(context, command)),
  )
}

export async function runList(cli: Cli): Promise<void> {
  const spool = openSpool(cli)
  const entries = spool.list()
  const broken = spool.listBroken()
  await show(cli, {
    body: { success: true, count: entries.length, entries: entries.map(toBody), broken },
    rows: entries,
    columns,
    empty: 'No uploads are waiting.',
  })
  if (broken.length > 0 && cli.format === 'table') {
    cli.io.err(`${broken.length} unreadable: ${broken.join(', ')}. Delete them: relt spool drop ID\n`)
  }
}

function toBody({ id, server, cluster, environment, created, bytes, attempts }: SpoolEntry) {
  return {
    spool_id: id,
    server,
    cluster_name: cluster,
    environment,
    created: formatTimestamp(created),
    size_bytes: bytes,
    attempts: attempts.count,
    last_error: attempts.lastError,
    refused: attempts.refused,
  }
}

const columns = ({ color, isTerminal }: Io, now: number): Column<SpoolEntry>[] => [
  { title: 'Id', value: (entry) => entry.id },
  { title: 'Queued', value: (entry) => when(formatTimestamp(entry.created), { isTerminal, now }) },
  {
    title: 'Cluster',
    value: ({ cluster, environment }) => `${cluster ?? ''} (${environment ?? ''})`,
    style: (cell) => color.bold(cell),
    min: 8,
  },
  { title: 'Server', value: ({ server }) => server.name ?? server.url, min: 8 },
  { title: 'Attempts', value: ({ attempts }) => String(attempts.count), align: 'right' },
  { title: 'Last error', value: ({ attempts }) => attempts.lastError ?? '', min: 12 },
]
