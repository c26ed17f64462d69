import type { Command } from 'commander'
import type { Context } from '../context.ts'
import type { FeedItem } from '../contract/received/subscription.ts'
import { ReltError } from '../errors.ts'
import { type Cli, cliOf, newCommand } from './command.ts'
import type { Io } from './io.ts'
import { show } from './output.ts'
import { wholeNumber } from './page.ts'
import { releaseColumns } from './projects/recent-view.ts'
import type { Column } from './table.ts'

export interface FeedOptions {
  days?: number
  mine?: boolean
}

export function createCommand(context: Context, run = runFeed): Command {
  return newCommand('feed', 'New releases of the projects you are subscribed to', [
    'relt feed',
    'relt feed --days 30',
    'relt feed --mine',
  ])
    .option('-d, --days <count>', 'how far back, at most 365 (default: 7)', wholeNumber(365))
    .option('--mine', 'only what is newer than something that runs in your clusters')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runFeed(cli: Cli, query: FeedOptions): Promise<void> {
  const client = await cli.context.client()
  const found = await client.call('getFeed', { query })
  if (query.mine && found.releases.some(({ affects }) => affects === undefined)) {
    throw new ReltError('bad_answer', 'The server does not say which releases concern what your clusters run.', {
      hint: 'See all: relt feed',
    })
  }
  const empty = query.mine ? 'Nothing new concerns what your clusters run.' : nothingNew(query.days)
  const shown = (io: Io, now: number) => [...columns(io, now), ...(query.mine ? [affectsColumn] : [])]
  await show(cli, { body: found, rows: found.releases, columns: shown, empty })
}

export function nothingNew(days = 7): string {
  return `Nothing new in ${days === 1 ? 'a day' : `${days} days`}. To follow more projects: relt subs add PROJECT`
}

const affectsColumn: Column<FeedItem> = {
  title: 'Concerns',
  value: ({ affects }) => (affects ? `${affects.clusters} ${affects.clusters === 1 ? 'cluster' : 'clusters'}` : ''),
}

const columns = (io: Io, now: number): Column<FeedItem>[] => [
  ...releaseColumns(io, now),
  {
    title: 'Security',
    value: (release) => (release.has_security_fix ? 'fix' : '-'),
    style: (cell, release) => (release.has_security_fix ? io.color.red(cell) : cell),
  },
]
