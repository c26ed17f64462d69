import type { ReceivedFreshness, ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'
import { ReltError } from '../../../errors.ts'
import { drawColumns } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { count, listed } from '../../../util/words.ts'
import { sortByUrgency } from '../../../views/artifact.ts'
import { byUrgency, freshnessClusterColumns } from '../../../views/freshness-clusters.ts'
import { toCounts } from '../../../views/freshness-counts.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { withProgress } from '../../output/progress.ts'
import { note, runRemarks, uploadFirst, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'
import { loadAllClusters, toName } from '../clusters/load.ts'
import { sketchRemarks } from '../clusters/other-server.ts'
import { ownedBy } from '../owners/choice.ts'
import {
  choiceRemarks,
  columns as dataColumns,
  emptyText,
  isChosen,
  isFiltered,
  type ShowFreshnessOptions,
} from './freshness.ts'
import { showFreshnessBy } from './freshness-by.ts'
import { summaryText, tableColumns } from './freshness-view.ts'

interface Place {
  cluster_name: string
  environment: string
}

type Row = ReceivedFreshnessItem & Place

interface AssessedCluster extends Place {
  run_id: string
  seen_at: string | null
  freshness: ReceivedFreshness
}

/** Shows the latest run of every cluster in one table. Throws `usage` for options about a single run. */
export async function runFreshnessOfAll(cli: Cli, run: string | undefined, options: ShowFreshnessOptions) {
  refuseOptionsOfOneRun(run, options)
  const { clusters, unscanned, isSketch } = await listLatest(cli, options)
  const assessed = await assessAll(cli, clusters)
  const everything = assessed.flatMap(({ cluster_name, environment, freshness }) =>
    freshness.items.map((item) => ({ ...item, cluster_name, environment })),
  )
  const labels = new Map(assessed.map((each) => [toKey(each), each.freshness.owner_labels]))
  const labelsFor = (place: Place) => labels.get(toKey(place))
  const isOwned = await ownedBy(cli, options.owner, labelsFor)
  const rows = everything.filter((item) => isChosen(item, options) && isOwned(item, item))
  if (options.by)
    return showFreshnessBy(cli, rows, { by: options.by, labelsFor, remarks: choiceRemarks(everything, options) })
  const now = cli.context.now()
  await show(cli, {
    body: {
      success: true,
      clusters: assessed.map(({ freshness: { summary }, ...cluster }) => ({ ...cluster, summary })),
      items: rows,
    },
    rows,
    columns: () => [clusterColumn, environmentColumn, ...dataColumns],
    text: async (io) => {
      const head = `${count(assessed.length, 'cluster')}: ${summaryText(io, { summary: null, items: everything })}\n`
      return head + (await renderRows(io, rows, { assessed, isFiltered: isFiltered(options), now }))
    },
    remarks: [
      ...(isSketch ? sketchRemarks : []),
      ...emptyRemarks(assessed, unscanned),
      ...choiceRemarks(everything, options),
      ...runRemarks(assessed, now),
    ],
    ...(assessed.length === 0 ? { empty: uploadFirst } : emptyText(options, assessed[0]?.freshness.coverage)),
  })
}

async function assessAll(cli: Cli, clusters: Omit<AssessedCluster, 'freshness'>[]) {
  return withProgress(cli.io, 'Comparing versions', () =>
    Array.fromAsync(clusters, async (cluster) => ({
      ...cluster,
      freshness: await cli.call('reportFreshness', { params: { run_id: cluster.run_id } }),
    })),
  )
}

const toKey = ({ cluster_name, environment }: Place) => `${cluster_name}\n${environment}`

/** On a terminal, one line per cluster, or its artifacts if a filter is set. */
async function renderRows(
  io: Io,
  rows: Row[],
  { assessed, isFiltered, now }: { assessed: AssessedCluster[]; isFiltered: boolean; now: number },
) {
  if (rows.length === 0) return ''
  const { renderTable } = await import('../../../render/terminal/table.ts')
  if (!io.isTerminal) return renderTable(io, [clusterColumn, environmentColumn, ...tableColumns<Row>(io, now)], rows)
  if (!isFiltered) return renderTable(io, drawColumns(io, freshnessClusterColumns), inOrder(assessed))
  // Separate tables per cluster leave more width for other columns.
  const byCluster = Map.groupBy(rows, ({ cluster_name, environment }) => `${cluster_name} (${environment})`)
  const tables = [...byCluster].map(
    ([name, items]) =>
      `\n${io.color.bold(plain(name))}\n${renderTable(io, tableColumns(io, now), sortByUrgency(items))}`,
  )
  return tables.join('')
}

/** One line per cluster, most urgent first. */
const inOrder = (assessed: AssessedCluster[]) =>
  assessed
    .map(({ freshness, ...cluster }) => ({
      ...cluster,
      counts: toCounts(freshness),
      isJudged: freshness.summary?.artifacts !== undefined,
    }))
    .sort(byUrgency)

function refuseOptionsOfOneRun(run: string | undefined, options: ShowFreshnessOptions) {
  const given = [
    run !== undefined && 'a run',
    options.cluster !== undefined && '--cluster',
    options.explain && '--explain',
    options.registry && '--registry',
    options.sarif !== undefined && '--sarif',
  ].find(Boolean)
  if (given) throw new ReltError('usage', `--all cannot be combined with ${given}.`, { hint: 'Remove one of them.' })
}

/** Lists the latest run of each cluster, and the names of clusters without a run. */
async function listLatest(cli: Cli, { environment }: ShowFreshnessOptions) {
  const clusters: Omit<AssessedCluster, 'freshness'>[] = []
  const unscanned: string[] = []
  const { items, first } = await loadAllClusters(cli, environment ? { environment } : {})
  for (const cluster of items) {
    const { cluster_name, environment, last_scan: seen_at, latest_run, freshness } = cluster
    const run_id = freshness?.run_id ?? latest_run?.run_id
    if (run_id) clusters.push({ cluster_name, environment, seen_at, run_id })
    else unscanned.push(toName(cluster))
  }
  return { clusters, unscanned, isSketch: first.is_sketch === true }
}

function emptyRemarks(assessed: AssessedCluster[], unscanned: string[]) {
  const blind = assessed.filter(({ freshness }) => freshness.items.length === 0).map(toName)
  return [
    blind.length > 0 && warning(`The latest run of ${listed(blind)} does not say what runs.`),
    unscanned.length > 0 && warning(`No run of ${listed(unscanned)}.`),
    assessed.length > 0 && note('Artifacts: --full, --vulnerable, --status major_behind, or -c CLUSTER.'),
  ]
}

const clusterColumn: Column<Row> = { title: titles.cluster, value: member('cluster_name'), min: 8 }
const environmentColumn: Column<Row> = { title: titles.environment, value: member('environment'), min: 4 }
