import { InvalidArgumentError } from 'commander'
import type { SourceOutcome } from '../../../admin/catalog.ts'
import { type ErrorCode, ReltError } from '../../../errors.ts'
import { parseTimestamp } from '../../../util/time.ts'
import { show } from '../../output/output.ts'
import { openProgressBar } from '../../output/progress-bar.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog, pickEach } from './command.ts'
import { renderSummary, sourceColumns, syncAnswer } from './sync-view.ts'

const options = {
  '--since <time>': { help: 'read all releases since this time, including known ones', parse: readTime },
  '--concurrency <number>': { help: 'parallel requests to one host, 1 to 16', parse: readConcurrency, default: 6 },
  '--dry-run': 'show new releases without storing them',
} as const

type CatalogSyncOptions = OptionsOf<typeof options>

export default verb({
  name: 'sync',
  summary: 'Fetch new releases of all or selected projects',
  examples: [
    'relt catalog sync',
    'relt catalog sync argo-cd cilium --since 2026-01-01',
    'relt catalog sync --dry-run --json',
  ],
  args: [['[project...]', 'slugs, names or ids']],
  options,
  run: runSyncCommand,
})

async function runSyncCommand(cli: Cli, projects: string[], options: CatalogSyncOptions): Promise<void> {
  const { io, context } = cli
  const { since, concurrency, dryRun: isDry = false } = options
  const { signal, stopListening } = interruption()
  const bar = openProgressBar(io)
  let added = 0
  const outcomes = new Set<SourceOutcome['outcome']>()
  try {
    const catalog = await openCatalog(cli)
    const { sources, total, advisories, facts } = await catalog.sync({
      projects: await pickEach(cli, catalog, projects),
      since,
      concurrency,
      isDry,
      signal,
      onSource: (one, done, all) => {
        added += one.added
        outcomes.add(one.outcome)
        bar.show(done, all, `${added} new`)
      },
      onAdvisory: (done, all) => bar.show(done, all, 'advisories'),
    })
    bar.close()
    const answer = syncAnswer(sources, { total, isDry, advisories, facts })
    await show(cli, {
      body: answer,
      rows: answer.sources,
      columns: sourceColumns,
      text: (io) => renderSummary(io, answer, { outcomes: sources, now: context.now() }),
    })
  } finally {
    bar.close()
    stopListening()
  }
  if (signal.aborted) {
    throw new ReltError('cancelled', 'Interrupted. Results so far are stored.', { hint: 'Continue: relt catalog sync' })
  }
  const failure = toFailure(outcomes)
  if (failure) throw new ReltError(failure, 'No source answered.', { hint: 'See why: relt catalog status --failing' })
}

/** A signal that Ctrl-C aborts. */
function interruption() {
  const controller = new AbortController()
  const stop = () => controller.abort(new ReltError('cancelled', 'Interrupted.'))
  process.once('SIGINT', stop)
  return { signal: controller.signal, stopListening: () => process.off('SIGINT', stop) }
}

/** Throws if every source failed; one that answers is a success. */
function toFailure(outcomes: ReadonlySet<SourceOutcome['outcome']>): ErrorCode | undefined {
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
