import { type Command, InvalidArgumentError } from 'commander'
import type { SourceOutcome } from '../../../admin/catalog.ts'
import type { Context } from '../../../context.ts'
import { type ErrorCode, ReltError } from '../../../errors.ts'
import { parseTimestamp } from '../../../util/time.ts'
import { show } from '../../output/output.ts'
import { openProgressBar } from '../../output/progress-bar.ts'
import { newCommand } from '../../program/command.ts'
import { type CatalogCli, catalogCliOf, pickEach } from './command.ts'
import { renderSummary, sourceColumns, syncAnswer } from './sync-view.ts'

export interface CatalogSyncOptions {
  since?: number
  concurrency: number
  dryRun?: boolean
}

export function createCommand(context: Context, run = runSyncCommand): Command {
  return newCommand('sync', 'Fetch new releases of all or selected projects', [
    'relt catalog sync',
    'relt catalog sync argo-cd cilium --since 2026-01-01',
    'relt catalog sync --dry-run --json',
  ])
    .argument('[project...]', 'slugs, names or ids')
    .option('--since <time>', 'read all releases since this time, including known ones', readTime)
    .option('--concurrency <number>', 'parallel requests to one host, 1 to 16', readConcurrency, 6)
    .option('--dry-run', 'show new releases without storing them')
    .action((projects, options, command) => run(catalogCliOf(context, command), projects, options))
}

export async function runSyncCommand(cli: CatalogCli, projects: string[], options: CatalogSyncOptions): Promise<void> {
  const { io, context } = cli
  const { since, concurrency, dryRun: isDry = false } = options
  const interruption = new AbortController()
  const stop = () => interruption.abort(new ReltError('cancelled', 'Interrupted.'))
  process.once('SIGINT', stop)
  const bar = openProgressBar(io)
  let added = 0
  const outcomes = new Set<SourceOutcome['outcome']>()
  try {
    const catalog = await cli.catalog()
    const { sources, total, advisories, exploited } = await catalog.sync({
      projects: await pickEach(cli, catalog, projects),
      since,
      concurrency,
      isDry,
      signal: interruption.signal,
      onSource: (one, done, all) => {
        added += one.added
        outcomes.add(one.outcome)
        bar.show(done, all, `${added} new`)
      },
      onAdvisory: (done, all) => bar.show(done, all, 'advisories'),
    })
    bar.close()
    const answer = syncAnswer(sources, { total, isDry, advisories, exploited })
    await show(cli, {
      body: answer,
      rows: answer.sources,
      columns: sourceColumns,
      text: (io) => renderSummary(io, answer, context.now()),
    })
  } finally {
    bar.close()
    process.off('SIGINT', stop)
  }
  if (interruption.signal.aborted) {
    throw new ReltError('cancelled', 'Interrupted. Results so far are stored.', { hint: 'Continue: relt catalog sync' })
  }
  const failure = failureOf(outcomes)
  if (failure) throw new ReltError(failure, 'No source answered.', { hint: 'See why: relt catalog status --failing' })
}

/** Throws if every source failed; one source that answers is a success. */
function failureOf(outcomes: ReadonlySet<SourceOutcome['outcome']>): ErrorCode | undefined {
  if (outcomes.has('changed') || outcomes.has('unchanged')) return undefined
  if (outcomes.has('unreachable')) return 'unreachable'
  if (outcomes.has('limited')) return 'rate_limited'
  return outcomes.has('absent') ? 'not_found' : undefined
}

function readTime(text: string): number {
  const seconds = parseTimestamp(text)
  if (seconds === undefined) throw new InvalidArgumentError('Use a date such as 2026-01-31, or ISO 8601.')
  return seconds
}

function readConcurrency(text: string): number {
  const number = Number(text)
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= 16) return number
  throw new InvalidArgumentError('Use a whole number from 1 to 16.')
}
