import type { ReceivedFreshness } from '../../../contract/received/cluster-report.ts'
import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { comparableCharts, wantedColumns } from '../../../views/wanted.ts'
import { show } from '../../output/output.ts'
import { warning } from '../../output/remarks.ts'
import type { Cli } from '../../program/command.ts'

/** Shows the chart versions that GitOps objects ask for, next to running ones. */
export async function showWanted(cli: Cli, freshness: ReceivedFreshness): Promise<void> {
  const { unread = [] } = freshness
  const wanted = comparableCharts(freshness.wanted)
  const { by, chart, wanted: version, runs, state, step, newest, repository } = wantedColumns
  const columns = [by, chart, version, runs, state, step, newest, repository]
  await show(cli, {
    body: freshness,
    rows: wanted,
    columns: () => dataColumns(columns),
    ...(wanted.length > 0 && { text: (io) => renderTable(io, drawColumns(io, columns), wanted) }),
    empty: 'Nothing in the inventory of this run says which charts are wanted.',
    remarks: unread
      .filter(({ source }) => source !== 'nodes')
      .map(({ source, reason }) => warning(`${source} could not be read. ${reason}`)),
  })
}
