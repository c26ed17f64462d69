import type { ReceivedFreshness } from '../../../contract/received/cluster-report.ts'
import { dataColumns, drawColumns, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { nodeColumns, nodeNotes } from '../../../views/nodes.ts'
import type { Note } from '../../../views/view.ts'
import { comparableCharts, wantedColumns } from '../../../views/wanted.ts'
import { show } from '../../output/output.ts'
import { type Remark, warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'

interface Part<Row> {
  rows: Row[]
  columns: Parameters<typeof dataColumns<Row>>[0]
  /** Sentences below the table. */
  notes?: Note[]
  /** Message if there are no rows, unless the source could not be read. */
  empty: string
  /** Source of the rows, and the message if it could not be read. */
  source?: [name: string, refused: string]
  remarks?: Remark[]
}

/** Shows a part of a run's inventory other than artifacts. */
async function showPart<Row>(cli: Cli, freshness: ReceivedFreshness, part: Part<Row>) {
  const { rows, columns, notes = [], empty, source, remarks = [] } = part
  const refused = source && freshness.unread?.find((each) => each.source === source[0])
  await show(cli, {
    body: freshness,
    rows,
    columns: () => dataColumns(columns),
    ...(rows.length > 0 && {
      text: (io) =>
        [
          renderTable(io, drawColumns(io, columns), rows),
          ...notes.map(({ tone, said }) => `${paint(io, tone)(drawSaid(io, said))}\n`),
        ].join(''),
    }),
    empty: refused ? `${source[1]} ${refused.reason}` : empty,
    remarks,
  })
}

export function showNodes(cli: Cli, freshness: ReceivedFreshness) {
  const now = cli.context.now()
  const { part, runs, nodes, support, skew, names } = nodeColumns(now)
  return showPart(cli, freshness, {
    rows: freshness.nodes ?? [],
    columns: [part, runs, nodes, support, skew, names],
    notes: nodeNotes(freshness, now),
    empty: 'The inventory of this run has no nodes. Inventories list them where the account may list nodes.',
    source: ['nodes', 'What the nodes run is not known.'],
  })
}

/** Shows the chart versions that GitOps objects ask for, next to running ones. */
export function showWanted(cli: Cli, freshness: ReceivedFreshness) {
  const { by, chart, wanted, runs, state, step, newest, repository } = wantedColumns
  return showPart(cli, freshness, {
    rows: comparableCharts(freshness.wanted),
    columns: [by, chart, wanted, runs, state, step, newest, repository],
    empty: 'Nothing in the inventory of this run says which charts are wanted.',
    remarks: (freshness.unread ?? [])
      .filter(({ source }) => source !== 'nodes')
      .map(({ source, reason }) => warning(`${source} could not be read. ${reason}`)),
  })
}
