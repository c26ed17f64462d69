import type { RouteCaller } from '../../../client/client.ts'
import type { ReceivedClusterTrend, ReceivedTrends } from '../../../contract/received/cluster-report.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { defined } from '../../../util/defined.ts'
import { count } from '../../../util/words.ts'
import { scannerName } from '../../../views/scanners.ts'
import { gapsText, hasGaps, markedScore } from '../../../views/score.ts'
import { titles } from '../../../views/titles.ts'
import { oddPointsText } from '../../../views/trend-points.ts'
import { member, show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { caveat, environmentRemarks, runRemarks } from '../../output/remarks.ts'
import { wantsAscii } from '../../output/sparkline.ts'
import type { Cli } from '../../program/command.ts'
import type { OptionsOf } from '../../program/options.ts'
import { verb } from '../../program/verb.ts'
import { type ClusterOptions, clusterOptions, clusterQuery, noReports, unknownCluster } from './cluster.ts'
import { chooseOneCluster } from './one-cluster.ts'

const options = {
  ...clusterOptions(),
  '-d, --days <count>': { help: 'days to look back, at most 365 (default: 30)', parse: wholeNumber(365) },
  '--checks': 'include the checks whose number of findings changed, and what blocks AKS Automatic',
} as const

type TrendsOptions = OptionsOf<typeof options>

export default verb({
  name: 'trends',
  summary: 'Show score and findings over time',
  examples: ['relt reports trends', 'relt reports trends --cluster prod-eu --days 90', 'relt reports trends --checks'],
  options,
  run: runTrends,
})

export async function runTrends(cli: Cli, options: TrendsOptions) {
  const { days, checks } = options
  const place = await chooseOneCluster(cli, options)
  const trends = await cli.call('reportTrends', {
    query: defined({ ...clusterQuery(place), window_days: days, checks }),
  })
  const window = trends.window_days ?? days ?? 30
  // One entry per scanner.
  const all = 'clusters' in trends ? trends.clusters : [trends, ...(trends.other_scanners ?? [])]
  const rows = all.flatMap(({ cluster_name, environment, format, subject, points }) =>
    points.map((point) => ({ cluster_name, environment, format, subject, ...point })),
  )
  const empty = rows.length === 0 ? await whyNone(cli, place, window) : undefined
  await show(cli, {
    body: trends,
    rows,
    columns: () => [
      { title: titles.cluster, value: member('cluster_name') },
      { title: titles.environment, value: member('environment') },
      { title: titles.scanner, value: ({ format, subject }) => (format ? scannerName({ format, subject }) : '') },
      { title: titles.scanned, value: member('at') },
      { title: titles.score, value: (point) => markedScore(point.score, point), align: 'right' },
      { title: titles.findings, value: (point) => String(point.findings ?? ''), align: 'right' },
      { title: titles.failed_checks, value: (point) => String(point.failed_checks ?? ''), align: 'right' },
    ],
    text: async (io) => {
      const { renderTrends } = await import('./trends-view.ts')
      return renderTrends(io, all, { days: window, isAscii: wantsAscii(cli.context.env) })
    },
    remarks: remarksOn(trends, all, { days: window, now: cli.context.now(), checks }),
    ...(empty !== undefined && { empty }),
  })
}

async function whyNone(client: RouteCaller, place: ClusterOptions, days: number) {
  const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 1 } })
  const [latest] = items
  const unknown = latest ? undefined : await unknownCluster(client, place)
  if (unknown) throw unknown
  if (!latest) return noReports(place)
  const { cluster_name, environment } = latest
  const day = scannedAt(latest)?.slice(0, 10) ?? 'an unknown day'
  return `No run in the last ${count(days, 'day')}. The latest run of ${cluster_name ?? 'the cluster'} (${environment ?? '-'}) is from ${day}. Look further back with --days.`
}

/** Gaps of more clusters than this are counted rather than listed. */
const mostGaps = 2

/** Remarks on gaps in the plot: other environments, clusters that are no longer scanned, checks that did not run. */
function remarksOn(
  trends: ReceivedTrends,
  all: ReceivedClusterTrend[],
  { days, now, checks }: { days: number; now: number; checks: boolean | undefined },
) {
  const lasts = all.flatMap(({ points, ...cluster }) => points.slice(-1).map((point) => ({ ...cluster, ...point })))
  const partial = lasts.filter(hasGaps)
  return [
    ...('clusters' in trends ? [] : environmentRemarks(trends, trends.other_environments)),
    ...runRemarks(
      lasts.map(({ at, ...cluster }) => ({ ...cluster, seen_at: at })),
      now,
    ),
    ...all
      .filter(({ points }) => points.length === 0 && lasts.length > 0)
      .map(({ cluster_name, environment }) =>
        caveat(`No run of ${cluster_name} (${environment}) in the last ${count(days, 'day')}.`),
      ),
    checks &&
      all.some(({ points, checks }) => points.length > 0 && checks === undefined) &&
      caveat('The server does not list the findings of each check over time.'),
    ...(partial.length > mostGaps
      ? [
          caveat(
            `The latest runs of ${count(partial.length, 'cluster')} have gaps (*), so their figures are incomplete.`,
          ),
        ]
      : partial.map((each) =>
          caveat(
            `The latest run of ${each.cluster_name} (${[each.environment, ...(all.length > 1 && each.format ? [each.format] : [])].join(', ')}) has gaps: ${gapsText(each)}. Its score and findings are incomplete.`,
          ),
        )),
    ...all.flatMap((trend) => {
      const odd = oddPointsText(trend.points)
      return odd === undefined ? [] : [caveat(`${odd}.`)]
    }),
  ]
}
