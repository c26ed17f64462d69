import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedComparison, ReceivedRun } from '../../../contract/received/cluster-report.ts'
import type { RouteInput } from '../../../contract/routes.ts'
import { ReltError } from '../../../errors.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { defined } from '../../../util/defined.ts'
import { sinceOption, sinceQuery } from '../../input/interval.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { withProgress } from '../../output/progress.ts'
import { environmentRemarks, formatRemark, runRemarks } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { type ClusterOptions, chooseCluster, clusterOptions, clusterQuery } from './cluster.ts'
import { findLatestRun, findRun, runForms } from './find-run.ts'
import { chooseOneCluster } from './one-cluster.ts'

const options = {
  ...clusterOptions(),
  '--from <run>': `earlier run: ${runForms} (default: the previous run)`,
  '--to <run>': 'later run, named in the same ways (default: the latest)',
  '--since <time>': sinceOption,
  '--explain': 'show the whole reasons of checks that did not run',
  '-n, --limit <count>': { help: 'findings to show per kind of change (default: 15)', parse: wholeNumber(1_000_000) },
} as const

type CompareOptions = OptionsOf<typeof options>

export default verb({
  name: 'compare',
  summary: 'Compare two runs of a cluster',
  examples: [
    'relt reports compare',
    'relt reports compare --cluster prod-eu --environment prod',
    'relt reports compare --since 7d',
    'relt reports compare --from latest~7',
    'relt reports compare --from @2026-06-01 --to @2026-06-30',
  ],
  options,
  run: runCompare,
})

export async function runCompare(cli: Cli, options: CompareOptions) {
  const { limit, explain } = options
  const isNamed = options.from !== undefined || options.to !== undefined
  const place = isNamed ? await chooseCluster(cli, options) : await chooseOneCluster(cli, options)
  const from = options.from === undefined ? undefined : await findRun(cli, options.from, options)
  const to = options.to === undefined ? undefined : await findRun(cli, options.to, options)
  const placed = to?.placed ?? from?.placed
  const query = {
    ...clusterQuery(place),
    ...(from && { from_run_id: from.run_id }),
    ...(to && { to_run_id: to.run_id }),
    ...sinceQuery(options.since, cli.context.now()),
  }
  const [comparison, ...others] = await withProgress(cli.io, 'Comparing', () =>
    compareRuns(cli, query, isNamed ? undefined : place),
  )
  const [{ listChanges, renderComparison }, { groupNotRun }, { shortenedNotes }, { dataColumns }, { findingTables }] =
    await Promise.all([
      import('./compare-view.ts'),
      import('../../../views/not-run.ts'),
      import('../../../views/not-run-text.ts'),
      import('../../../render/terminal/draw.ts'),
      import('../../../views/finding-tables.ts'),
    ])
  await show(cli, {
    body: { ...comparison, ...(others.length > 0 && { other_scanners: others }) },
    rows: [comparison, ...others].flatMap(listChanges),
    columns: () => dataColumns(findingTables.changeData),
    text: (io) => [comparison, ...others].map((each) => renderComparison(io, each, { limit, explain })).join('\n'),
    remarks: [
      ...shortenedNotes(groupNotRun(comparison.from, comparison.to), explain).map(formatRemark),
      ...environmentRemarks(comparison, comparison.other_environments ?? placed?.otherEnvironments),
      ...(to || !comparison.to
        ? []
        : runRemarks([{ ...comparison.to, seen_at: scannedAt(comparison.to) }], cli.context.now())),
    ],
  })
}

type Query = NonNullable<RouteInput<'compareReports'>['query']>
type Comparisons = [ReceivedComparison, ...ReceivedComparison[]]

/** Without named runs, compares the latest run of each scanner with its previous run, that of the latest upload first. */
async function compareRuns(client: RouteCaller, query: Query, place: ClusterOptions | undefined): Promise<Comparisons> {
  if (!place) return [await client.call('compareReports', { query })]
  const first = await client.call('compareReports', { query }).catch(unlessFirst)
  const latest = first instanceof ReltError ? await findLatestRun(client, place).catch(unlessFirst) : { run: first.to }
  const run = latest instanceof ReltError ? null : latest.run
  if (first instanceof ReltError && latest instanceof ReltError) throw latest
  const since = defined({ since: query.since })
  const others: ReceivedComparison[] = []
  for (const run_id of run ? await otherScanners(client, run) : []) {
    const found = await client.call('compareReports', { query: { ...since, to_run_id: run_id } }).catch(unlessFirst)
    if (!(found instanceof ReltError)) others.push(found)
  }
  if (!(first instanceof ReltError)) return [first, ...others]
  const [other, ...rest] = others
  if (other) return [other, ...rest]
  throw new ReltError('not_found', first.message, { hint: 'Upload one: relt reports upload FILE', cause: first })
}

/** The latest runs of the cluster's other scanners. */
async function otherScanners(client: RouteCaller, { run_id, cluster_name, environment }: ReceivedRun) {
  if (cluster_name === null || environment === null) return []
  const { items, latest } = await client.call('listReports', {
    query: { cluster_name, environment, latest: true, per_page: 100 },
  })
  return latest ? items.flatMap((each) => (each.run_id === run_id ? [] : each.run_id)) : []
}

/** A scanner's first run has none to compare with. */
function unlessFirst(error: unknown) {
  if (error instanceof ReltError && error.code === 'not_found') return error
  throw error
}
