import { InvalidArgumentError } from 'commander'
import type { SourceOutcome } from '../../../admin/catalog.ts'
import { type ErrorCode, ReltError } from '../../../errors.ts'
import { parseTime } from '../../input/interval.ts'
import { show } from '../../output/output.ts'
import { withProgressBar } from '../../output/progress-bar.ts'
import { verb } from '../../program/verb.ts'
import { openCatalog, pickEach } from './command.ts'
import { renderSummary, sourceColumns, syncAnswer } from './sync-view.ts'

export default verb({
  name: 'sync',
  summary: 'Fetch new releases of all or selected projects',
  examples: [
    'relt catalog sync',
    'relt catalog sync argo-cd cilium --since 2026-01-01',
    'relt catalog sync --dry-run --json',
  ],
  args: [['[project...]', 'slugs, names or ids']],
  options: {
    '--since <time>': { help: 'read all releases since this time, including known ones', parse: parseTime },
    '--concurrency <number>': { help: 'parallel requests to one host, 1 to 16', parse: readConcurrency, default: 6 },
    '--dry-run': 'show new releases without storing them',
  },
  run: async (cli, wanted, { since, concurrency, dryRun: isDry = false }) => {
    const { io, context } = cli
    const interruption = new AbortController()
    const { signal } = interruption
    const stop = () => interruption.abort(new ReltError('cancelled', 'Interrupted.'))
    process.once('SIGINT', stop)
    let added = 0
    const outcomes = new Set<SourceOutcome['outcome']>()
    try {
      const catalog = await openCatalog(cli)
      const projects = await pickEach(cli, catalog, wanted)
      const { sources, ...found } = await withProgressBar(io, (showProgress) =>
        catalog.sync({
          projects,
          since,
          concurrency,
          isDry,
          signal,
          onSource: (one, done, all) => {
            added += one.added
            outcomes.add(one.outcome)
            showProgress(done, all, `${added} new`)
          },
          onAdvisory: (done, all) => showProgress(done, all, 'advisories'),
        }),
      )
      const answer = syncAnswer(sources, { ...found, isDry })
      await show(cli, {
        body: answer,
        rows: answer.sources,
        columns: sourceColumns,
        text: (io) => renderSummary(io, answer, { outcomes: sources, now: context.now() }),
      })
    } finally {
      process.off('SIGINT', stop)
    }
    if (signal.aborted) {
      throw new ReltError('cancelled', 'Interrupted. Results so far are stored.', {
        hint: 'Continue: relt catalog sync',
      })
    }
    const failure = toFailure(outcomes)
    if (failure)
      throw new ReltError(failure, 'No source answered.', {
        hint: 'See why: relt catalog status --failing. Without a network: relt catalog import FILE',
      })
  },
})

/** Throws if every source failed; one that answers is a success. */
function toFailure(outcomes: ReadonlySet<SourceOutcome['outcome']>): ErrorCode | undefined {
  if (outcomes.has('changed') || outcomes.has('unchanged')) return undefined
  if (outcomes.has('unreachable')) return 'unreachable'
  if (outcomes.has('limited')) return 'rate_limited'
  return outcomes.has('absent') ? 'not_found' : undefined
}

function readConcurrency(text: string) {
  const number = Number(text)
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= 16) return number
  throw new InvalidArgumentError('Use a whole number from 1 to 16.')
}
