import type { RiskPathOfRun, RiskPaths } from '../../../contract/finding.ts'
import { dataColumns, drawSaid } from '../../../render/terminal/draw.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count } from '../../../util/words.ts'
import { runNotes } from '../../../views/coverage.ts'
import { clusterText } from '../../../views/finding.ts'
import { readinessSaid } from '../../../views/readiness.ts'
import { pathLines, pathOfRunColumns } from '../../../views/risk-path.ts'
import { chosen } from '../../../views/view.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { formatRemark, warning } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { aboutCluster } from '../reports/cluster.ts'
import { runForms } from '../reports/find-run.ts'
import { choiceOptions, chooseRuns, placeOfQuery } from './choice.ts'

export default verb({
  name: 'paths',
  summary: 'List risk paths with their evidence, and AKS readiness',
  examples: ['relt findings paths', 'relt findings paths --all --json'],
  args: [['[run]', `${runForms} (default: the latest run of each scanner)`]],
  options: {
    ...choiceOptions,
    ...pageOptions,
  },
  run: async (cli, id, options) => {
    const query = { ...(await chooseRuns(cli, id, options)), ...pageQuery(options) }
    const found = await withProgress(cli.io, 'Reading runs', () =>
      aboutCluster(cli, placeOfQuery(query), cli.call('listRiskPaths', { query })),
    )
    const { items, aks_readiness, looked_at } = found
    await show(cli, {
      body: found,
      // Without paths, there may still be a readiness to show.
      ...(items.length === 0 && aks_readiness.length > 0 ? {} : { rows: items, columns: () => dataColumns(shown) }),
      text: (io) => `${items.map((path) => renderPath(io, path)).join('\n')}${renderReadiness(io, found)}`,
      remarks: [...unknownRemark(found), ...runNotes(looked_at, { now: cli.context.now() }).map(formatRemark)],
      empty: emptyText(found),
      page: found,
    })
  },
})

function emptyText({ looked_at, runs_without_risk_paths: unknown }: RiskPaths) {
  if (looked_at.runs === 0) return 'No reports yet. Upload one: relt reports upload FILE'
  const known = looked_at.runs - unknown
  return known === 0 ? 'No report lists risk paths.' : `No risk path in ${count(known, 'run')}.`
}

function unknownRemark({ runs_without_risk_paths: unknown, looked_at }: RiskPaths) {
  if (unknown === 0 || looked_at.runs === 0) return []
  const which = looked_at.runs === 1 ? 'The report does' : `The reports of ${unknown} of ${looked_at.runs} runs do`
  return [warning(`${which} not list risk paths, so whether there are any is unknown.`)]
}

function renderPath(io: Io, path: RiskPathOfRun) {
  const { heading, lines } = pathLines(path)
  return `${drawSaid(io, heading)}\n${lines.map((line) => `  ${drawSaid(io, line)}\n`).join('')}`
}

function renderReadiness(io: Io, { items, aks_readiness }: RiskPaths) {
  if (aks_readiness.length === 0) return ''
  const parts = aks_readiness.map((readiness) => {
    const { blockers, warnings } = readiness
    const row = (word: string, { check_id, name, findings, recommendation }: (typeof blockers)[number]) =>
      `  ${word} ${plain(check_id)} ${plain(name ?? '')}: ${count(findings, 'finding')}${recommendation === null ? '' : `. ${plain(recommendation)}`}\n`
    return [
      `${io.color.bold('AKS Automatic')}  ${plain(clusterText(readiness))}: ${drawSaid(io, readinessSaid(readiness))}\n`,
      ...blockers.map((item) => row('Blocker', item)),
      ...warnings.map((item) => row('Warning', item)),
    ].join('')
  })
  return `${items.length > 0 ? '\n' : ''}${parts.join('\n')}`
}

const shown = [
  ...chosen(pathOfRunColumns, 'cluster', 'environment', 'kind', 'id', 'name', 'status', 'priority', 'confidence'),
  ...chosen(pathOfRunColumns, 'checks', 'summary'),
]
