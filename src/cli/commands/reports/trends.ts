import type { Command } from 'commander'
import type { Client } from '../../../client/client.ts'
import type { Context } from '../../../context.ts'
import type {
  ReceivedClusterTrend,
  ReceivedTrendPoint,
  ReceivedTrends,
} from '../../../contract/received/cluster-report.ts'
import { parseTimestamp } from '../../../util/time.ts'
import { renderChart } from '../../output/chart.ts'
import { type Io, plain } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { count, environmentRemarks, type Remark, runRemarks, warning } from '../../output/remarks.ts'
import type { Column } from '../../output/table.ts'
import { type Cli, cliOf, newCommand } from '../../program/command.ts'
import { addClusterOptions, type ClusterOptions, chooseCluster, clusterQuery, noReports, scannedAt } from './cluster.ts'

export interface TrendsOptions extends ClusterOptions {
  days?: number
  byCluster?: boolean
  debt?: boolean
}

export function createCommand(context: Context, run = runTrends): Command {
  const command = newCommand('trends', 'Plot score and findings over time', [
    'relt reports trends',
    'relt reports trends --cluster prod-eu --days 90',
    'relt reports trends --by-cluster',
    'relt reports trends --debt',
  ])
  return addClusterOptions(command)
    .option('-d, --days <count>', 'days to look back, at most 365 (default: 30)', wholeNumber(365))
    .option('--by-cluster', 'plot every cluster separately')
    .option('--debt', 'include how many releases and days each run was behind')
    .action((options, command) => run(cliOf(context, command), options))
}

export async function runTrends(cli: Cli, options: TrendsOptions): Promise<void> {
  const { days, byCluster, debt } = options
  // All clusters are plotted, whichever is the current one.
  const place = byCluster ? options : await chooseCluster(cli, options)
  const client = await cli.context.client()
  const trends = await client.call('reportTrends', {
    query: {
      ...clusterQuery(place),
      ...(days !== undefined && { window_days: days }),
      ...(byCluster && { group_by_cluster: true }),
      ...(debt && { debt }),
    },
  })
  const window = trends.window_days ?? days ?? 30
  const all = clustersOf(trends)
  const rows = all.flatMap(({ cluster_name, environment, points }) =>
    points.map((point) => ({ cluster_name, environment, ...point })),
  )
  await show(cli, {
    body: trends,
    rows,
    columns: () => (debt ? [...columns, ...debtColumns] : columns),
    text: (io) => all.map((cluster) => renderTrend(io, cluster, window)).join('\n'),
    remarks: remarksOn(trends, all, window, cli.context.now()),
    ...(rows.length === 0 && { empty: await whyNone(client, place, window) }),
  })
}

const columns: Column<ReceivedTrendPoint & Pick<ReceivedClusterTrend, 'cluster_name' | 'environment'>>[] = [
  { title: 'Cluster', value: (point) => point.cluster_name },
  { title: 'Environment', value: (point) => point.environment },
  { title: 'At', value: (point) => point.at },
  { title: 'Score', value: (point) => String(point.score ?? ''), align: 'right' },
  { title: 'Findings', value: (point) => String(point.findings ?? ''), align: 'right' },
  { title: 'Failed checks', value: (point) => String(point.failed_checks ?? ''), align: 'right' },
]

const debtColumns: typeof columns = [
  { title: 'Artifacts behind', value: ({ debt }) => String(debt?.artifacts_behind ?? ''), align: 'right' },
  { title: 'Releases behind', value: ({ debt }) => String(debt?.releases_behind ?? ''), align: 'right' },
  { title: 'Days behind', value: ({ debt }) => String(debt?.days_behind ?? ''), align: 'right' },
]

function clustersOf(trends: ReceivedTrends): ReceivedClusterTrend[] {
  return 'clusters' in trends ? trends.clusters : [trends]
}

async function whyNone(client: Client, place: ClusterOptions, days: number): Promise<string> {
  const { items } = await client.call('listReports', { query: { ...clusterQuery(place), per_page: 1 } })
  const [latest] = items
  if (!latest) return noReports(place)
  const { cluster_name, environment } = latest
  const day = scannedAt(latest)?.slice(0, 10) ?? 'an unknown day'
  return `No run in the last ${count(days, 'day')}. The latest run of ${cluster_name ?? 'the cluster'} (${environment ?? '-'}) is from ${day}. Look further back with --days.`
}

/** Remarks on gaps of the plot: other environments, clusters that are no longer scanned, checks that did not run. */
function remarksOn(trends: ReceivedTrends, all: ReceivedClusterTrend[], days: number, now: number): Remark[] {
  const lasts = all.flatMap(({ points, ...cluster }) => points.slice(-1).map((point) => ({ ...cluster, ...point })))
  const partial = lasts.filter(({ not_run_checks }) => not_run_checks)
  return [
    ...('clusters' in trends ? [] : environmentRemarks(trends, trends.other_environments)),
    ...runRemarks(
      lasts.map(({ at, ...cluster }) => ({ ...cluster, seen_at: at })),
      now,
    ),
    ...all
      .filter(({ points }) => points.length === 0 && lasts.length > 0)
      .map(({ cluster_name, environment }) =>
        warning(`No run of ${cluster_name} (${environment}) in the last ${count(days, 'day')}.`),
      ),
    ...partial.map(({ cluster_name, environment, not_run_checks }) =>
      warning(
        `${count(not_run_checks ?? 0, 'check')} did not run in the latest run of ${cluster_name} (${environment}). Its findings are incomplete.`,
      ),
    ),
  ]
}

function renderTrend(io: Io, { cluster_name, environment, points }: ReceivedClusterTrend, days: number): string {
  const { color } = io
  const title = `${color.bold(plain(cluster_name ?? 'Unknown cluster'))} (${plain(environment ?? '-')}), last ${count(days, 'day')}: ${count(points.length, 'run')}\n`
  if (points.length === 0) return title
  const chart = ({ label, height, whole, value, paint }: Plot) => {
    const data = points.flatMap((point) => {
      const y = value(point)
      const x = point.at === null ? undefined : parseTimestamp(point.at)
      return y === null || x === undefined ? [] : { x, y }
    })
    if (data.length === 0) return ''
    const change = data.length > 1 ? ` ${data[0]!.y} → ${data.at(-1)!.y}` : ` ${data[0]!.y}`
    return `\n${color.dim(label)}${paint(change)}\n${renderChart(data, { width: io.width, height, whole, paint })}`
  }
  return [
    title,
    chart({ label: 'Score', height: 8, whole: false, value: (point) => point.score, paint: color.green }),
    chart({ label: 'Findings', height: 6, whole: true, value: (point) => point.findings, paint: color.yellow }),
    chart({ label: 'Failed checks', height: 4, whole: true, value: (point) => point.failed_checks, paint: color.red }),
    ...(points.some(({ debt }) => debt)
      ? [
          chart({
            ...debtPlot,
            label: 'Releases behind',
            value: ({ debt }) => debt?.releases_behind ?? null,
            paint: color.red,
          }),
          chart({
            ...debtPlot,
            label: 'Days behind',
            value: ({ debt }) => debt?.days_behind ?? null,
            paint: color.red,
          }),
        ]
      : []),
  ].join('')
}

const debtPlot = { height: 4, whole: true }

interface Plot {
  label: string
  height: number
  whole: boolean
  value: (point: ReceivedTrendPoint) => number | null
  paint: (text: string) => string
}
