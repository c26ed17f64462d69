import { findingSeverities } from '../../../contract/choices.ts'
import type { TopCheck, TopChecks } from '../../../contract/finding.ts'
import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { defined } from '../../../util/defined.ts'
import { count } from '../../../util/words.ts'
import { checkColumns } from '../../../views/check.ts'
import { runNotes } from '../../../views/coverage.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { screenOptions, screenQuery } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { formatRemark, note } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { aboutCluster } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { choiceOptions, chooseRuns, placeOfQuery } from './choice.ts'

export default verb({
  name: 'top',
  summary: 'List the checks that lower the score most',
  examples: ['relt findings top', 'relt findings top --all --severity critical'],
  args: [['[run]', `${runForms} (default: the latest run of each scanner)`]],
  options: {
    ...choiceOptions,
    '-s, --severity <severities>': {
      help: `severity of the worst finding: ${findingSeverities.join(', ')}; several with commas`,
      several: findingSeverities,
    },
    '--owner <name>': 'only what it owns, by `relt owners`; - for findings that nobody owns',
    ...screenOptions,
  },
  run: async (cli, id, options) => {
    const { owner } = options
    const query = {
      ...(await chooseRuns(cli, id, options)),
      ...defined({ severity: options.severity?.join(','), owner }),
      ...screenQuery(options),
    }
    const found = await withProgress(cli.io, 'Reading runs', () =>
      aboutCluster(cli, placeOfQuery(query), cli.call('listTopChecks', { query })),
    )
    await show<TopCheck>(cli, {
      body: found,
      rows: found.items,
      columns: (io) => toColumns(io, found),
      remarks: [...basisRemarks(found), ...runNotes(found.looked_at, { now: cli.context.now() }).map(formatRemark)],
      empty:
        found.looked_at.runs === 0
          ? 'No reports yet. Upload one: relt reports upload FILE'
          : `No check has ${options.severity ? 'such ' : ''}findings.`,
      page: found,
    })
  },
})

function basisRemarks({ mean_score, owner_score = null, runs_by_formula, looked_at }: TopChecks) {
  const title = looked_at.runs === 1 ? 'Score' : 'Mean score'
  const own = owner_score === null ? '' : ` With the findings of this owner alone, it would be ${owner_score}.`
  const score = mean_score === null ? [] : [note(`${title} ${mean_score}.${own}`)]
  if (runs_by_formula === 0) return score
  const which =
    runs_by_formula === looked_at.runs
      ? 'The reports have'
      : `${count(runs_by_formula, 'run')} of ${looked_at.runs}: the report has`
  return [...score, note(`${which} no weights, so points follow from relt's formula (docs/formats.md).`)]
}

function toColumns(io: Io, { items }: TopChecks) {
  const hasSeveral = items.some(({ clusters }) => clusters > 1)
  const keys = ['points', 'check', 'name', 'severity', 'rows', 'clusters', 'fix'] as const
  const shown = keys.filter((key) => key !== 'clusters' || hasSeveral).map((key) => checkColumns[key])
  return io.isTerminal ? drawColumns<TopCheck>(io, shown) : dataColumns<TopCheck>(shown)
}
