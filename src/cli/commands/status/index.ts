import type { ReceivedCluster } from '../../../contract/received/cluster.ts'
import { drawColumns, drawSaid, drawVerdict } from '../../../render/terminal/draw.ts'
import type { Column } from '../../../render/terminal/table.ts'
import { plain } from '../../../render/terminal/terminal.ts'
import { fleetVerdict, judge, markNotes, statusColumns } from '../../../views/fleet.ts'
import { scannerRows } from '../../../views/scanners.ts'
import { sinceOption, sinceQuery } from '../../input/interval.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import { wholeNumber } from '../../output/page.ts'
import { note } from '../../output/remarks.ts'
import { verb } from '../../program/verb.ts'
import { type LoadedClusters, loadClusters, summaryRemarks } from '../clusters/load.ts'
import { clusterColumns } from './columns.ts'
import { compareClusters } from './compare.ts'
import { showOne } from './one.ts'
import { findSurroundings, surroundingRemarks } from './surroundings.ts'

const options = {
  '-e, --environment <name>': 'only clusters of this environment',
  '--label <label>': 'only clusters with this label',
  '--since <time>': sinceOption,
  '-n, --limit <count>': { help: 'clusters to show, at most 100 (default: 12)', parse: wholeNumber(100) },
  '-p, --page <number>': { help: 'page to show (default: 1)', parse: wholeNumber(1_000_000) },
  '--all': 'include clusters that need no attention; of two clusters, also equal versions',
} as const

export default verb({
  examples: [
    'relt status',
    'relt status prod-eu',
    'relt status --since 7d --environment prod',
    'relt status --all -o wide',
    'relt status shop/test shop/prod',
  ],
  args: [
    ['[cluster]', 'all reasons of one cluster: its name, name/environment or id'],
    ['[other]', 'cluster to compare its versions with'],
  ],
  options,
  run: async (cli, name, other, options) => {
    const { environment, label, limit = 12, page: number = 1, all } = options
    if (name !== undefined && other !== undefined) return compareClusters(cli, name, other, all)
    const now = cli.context.now()
    const since = sinceQuery(options.since, now)
    if (name !== undefined) return showOne(cli, name, since)
    const page = await loadClusters(cli, {
      ...(environment && { environment }),
      ...(label && { label }),
      ...since,
      sort: 'urgency',
      learn: true,
      per_page: limit,
      page: number,
    })
    const items = page.items
      .map((cluster) => ({ cluster, ...judge(cluster, now) }))
      .filter(({ cluster, ofNow }) => all || cluster.attention === null || ofNow.length > 0)
      .map(({ cluster }) => cluster)
    const surroundings = await findSurroundings(cli)
    const { service, exceptions, policy, spool } = surroundings
    const rows = scannerRows(items)
    await show(cli, {
      body: {
        success: true,
        summary: page.summary ?? null,
        clusters: items,
        sources: service?.sources ?? null,
        exceptions,
        policy,
        spool,
      },
      rows,
      columns: (io, now) => clusterColumns(io, { now, env: cli.context.env, rows }),
      text: async (io, now) => {
        const table = cli.wide
          ? await toTable(io, rows, clusterColumns(io, { now, env: cli.context.env, rows }))
          : await toTable(io, items, drawColumns(io, statusColumns(now), now))
        return `${toHead(io, page, now)}${table}`
      },
      remarks: [
        ...shownRemarks(cli.io, page, { items, all: all === true }),
        ...summaryRemarks(page),
        ...surroundingRemarks(surroundings, page.items, now),
      ],
    })
  },
})

function toHead(io: Io, page: LoadedClusters, now: number) {
  const verdict = fleetVerdict(page, now)
  const { state, more = [], gaps } = verdict
  const { clusters = 1, never_reported = [] } = page.summary ?? {}
  if (clusters === 0) {
    return `No clusters yet.${never_reported.length > 0 ? '' : ' Upload a report: relt reports upload FILE'}\n`
  }
  const lines = [...more, ...(state === 'failed' ? [] : gaps)].map((said) => `${drawSaid(io, said)}.`)
  return `${drawVerdict(io, verdict)}\n${lines.map((line) => `${line}\n`).join('')}`
}

async function toTable<Row>(io: Io, rows: Row[], columns: Column<Row>[]) {
  if (rows.length === 0) return ''
  const { renderTable } = await import('../../../render/terminal/table.ts')
  return renderTable(io, columns, rows)
}

/** One line after the table: the number of remaining clusters, and explanations of marks. */
function shownRemarks(
  io: Io,
  { summary, total, page, per_page }: LoadedClusters,
  { items, all }: { items: ReceivedCluster[]; all: boolean },
) {
  const needing = summary?.now?.clusters ?? summary?.needs_attention ?? total
  const more = (all ? (summary?.clusters ?? total) : needing) - (page - 1) * per_page - items.length
  const marks = io.isTerminal ? markNotes(items.map(({ latest_run }) => latest_run)) : []
  return [
    ...(more > 0 && items.length > 0
      ? [note(`${plain(String(more))} more: ${per_page < 100 ? '--limit 100' : `--page ${page + 1}`}.`)]
      : []),
    ...(marks.length > 0 ? [note(`${marks.join(', ')}.`)] : []),
  ]
}
