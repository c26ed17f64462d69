import type { Command } from 'commander'
import type { Context } from '../../../context.ts'
import type { Column } from '../../../render/terminal/table.ts'
import type { SpoolEntry } from '../../../spool/spool.ts'
import { when } from '../../../util/ago.ts'
import { formatTimestamp } from '../../../util/time.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { note, warning } from '../../output/remarks.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { openSpool } from './open.ts'

export interface SpoolListOptions {
  limit?: number
}

export function createCommand(context: Context, run = runList): Command {
  return newCommand('list', 'List queued uploads, oldest first', ['relt spool list', 'relt spool list --json'])
    .option('-n, --limit <number>', 'uploads to show (default: 200)', wholeNumber(100_000))
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runList(cli: Cli, { limit = 200 }: SpoolListOptions): Promise<void> {
  const spool = openSpool(cli)
  const waiting = spool.list(limit)
  const entries = [...waiting, ...spool.listRefused(limit - waiting.length)]
  const broken = spool.listBroken(limit)
  const usage = spool.usage()
  const count = usage.waiting + usage.refused
  await show(cli, {
    body: { success: true, count, refused: usage.refused, entries: entries.map(toBody), broken },
    rows: entries,
    columns,
    empty: 'No uploads are waiting.',
    remarks: [
      ...(count > entries.length ? [note(`${count - entries.length} more. Show them: --limit ${count}`)] : []),
      ...(usage.refused > 0 ? [warning(`${usage.refused} refused. Retry them: relt spool send --refused`)] : []),
      ...(broken.length > 0
        ? [warning(`${usage.broken} unreadable: ${broken.join(', ')}. Delete them: relt spool drop ID`)]
        : []),
    ],
  })
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
  { title: 'ID', value: (entry) => entry.id },
  { title: 'Queued', value: (entry) => when(formatTimestamp(entry.created), { isTerminal, now }) },
  {
    title: 'Cluster',
    value: ({ cluster, environment }) => `${cluster ?? ''} (${environment ?? ''})`,
    style: (cell) => color.bold(cell),
    min: 8,
  },
  { title: 'Server', value: ({ server }) => server.name ?? server.url, min: 8 },
  { title: 'State', value: ({ attempts }) => (attempts.refused ? 'refused' : 'waiting') },
  { title: 'Attempts', value: ({ attempts }) => String(attempts.count), align: 'right' },
  { title: 'Last error', value: ({ attempts }) => attempts.lastError ?? '', min: 12 },
]
