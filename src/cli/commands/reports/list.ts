import type { ReceivedRun } from '../../../contract/received/cluster-report.ts'
import { paint } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { scannedAt } from '../../../reports/run-subject.ts'
import { when } from '../../../util/ago.ts'
import { number } from '../../../util/words.ts'
import { judgedRun, recordedTone } from '../../../views/gate.ts'
import { gapNote, hasGaps, markedScore } from '../../../views/score.ts'
import { titles } from '../../../views/titles.ts'
import type { Io } from '../../output/io.ts'
import { member, show } from '../../output/output.ts'
import { pageOptions, pageQuery } from '../../output/page.ts'
import { note } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { clusterOptions, clusterQuery, noReports, unknownCluster } from './cluster.ts'
import { chooseOneCluster } from './one-cluster.ts'

export default verb({
  name: 'list',
  summary: 'List the runs of a cluster, newest first',
  examples: ['relt reports list', 'relt reports list --cluster prod-eu --limit 50'],
  options: {
    ...clusterOptions('all'),
    ...pageOptions,
  },
  run: async (cli, options) => {
    const place = await chooseOneCluster(cli, options)
    const found = await cli.call('listReports', { query: { ...clusterQuery(place), ...pageQuery(options) } })
    const unknown = found.items.length === 0 && !found.total ? await unknownCluster(cli, place) : undefined
    if (unknown) throw unknown
    const hasSeveral =
      !place.environment &&
      (found.environments ?? [...new Set(found.items.map(({ environment }) => environment))]).length > 1
    const columns = (io: Io, now: number) => toColumns(found.items, { io, now, hasSeveral })
    const text = async (io: Io, now: number) => {
      const [first] = found.items
      if (!first) return ''
      const { renderTable } = await import('../../../render/terminal/table.ts')
      const environments = hasSeveral ? 'all environments' : plain(first.environment ?? '-')
      return `${io.color.bold(plain(first.cluster_name ?? 'Unknown cluster'))} (${environments})\n${renderTable(io, columns(io, now), found.items)}`
    }
    await show(cli, {
      body: found,
      rows: found.items,
      columns,
      text,
      empty: noReports(place),
      page: found,
      remarks: found.items.some((run) => run.score !== null && hasGaps(run)) ? [note(gapNote)] : [],
    })
  },
})

/** Environment and scanner are shown only if they differ. */
const toColumns = (
  runs: ReceivedRun[],
  { io, now, hasSeveral }: { io: Io; now: number; hasSeveral: boolean },
): Column<ReceivedRun>[] => {
  const { isTerminal } = io
  const many = (count: number | null | undefined) => (isTerminal && count != null ? number(count) : shown(count))
  const environment: Column<ReceivedRun> = {
    title: titles.environment,
    value: member('environment'),
    min: 6,
  }
  return [
    ...(hasSeveral ? [environment] : []),
    { title: titles.run, value: member('run_id') },
    { title: titles.scanned, value: (run) => when(scannedAt(run), { isTerminal, now }), min: 10 },
    ...(new Set(runs.map(({ format }) => format)).size > 1
      ? [{ title: titles.scanner, value: ({ format }: ReceivedRun) => format, from: 100 }]
      : []),
    { title: titles.score, value: (run) => markedScore(run.score, run), align: 'right' },
    {
      title: titles.failed,
      value: (run) => `${run.failed_checks ?? '-'}/${run.total_checks ?? '-'}`,
      align: 'right',
      only: 'table',
    },
    { title: titles.failed_checks, value: (run) => shown(run.failed_checks), align: 'right', only: 'data' },
    { title: titles.checks, value: (run) => shown(run.total_checks), align: 'right', only: 'data' },
    ...(runs.some(({ not_run_checks }) => not_run_checks)
      ? [{ title: titles.not_run, value: (run: ReceivedRun) => shown(run.not_run_checks), align: 'right' as const }]
      : []),
    ...(runs.some(({ gate }) => gate) ? [gateColumn(io, now)] : []),
    { title: titles.findings, value: (run) => many(run.findings?.total), align: 'right' },
    { title: titles.critical, value: (run) => many(run.findings?.critical), align: 'right', from: 100 },
    { title: titles.kubernetes, value: member('kubernetes_version'), min: 8, from: hasSeveral ? 90 : 76 },
    { title: 'Images', value: (run) => shown(run.artifacts?.images), align: 'right', from: 110 },
  ]
}

const gateColumn = (io: Io, now: number): Column<ReceivedRun> => ({
  title: titles.gate,
  value: ({ gate }) => gate?.verdict ?? null,
  style: (cell, run) => (run.gate ? paint(io, recordedTone(run.gate, judgedRun(run, now), now))(cell) : cell),
})

const shown = (count: number | null | undefined) => (count == null ? null : String(count))
