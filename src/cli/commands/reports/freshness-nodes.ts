import type { ReceivedFreshness } from '../../../contract/received/cluster-report.ts'
import { dataColumns, drawColumns, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { nodeColumns, nodeNotes } from '../../../views/nodes.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'

/** Shows the components of the nodes in a run's cluster. */
export async function showNodes(cli: Cli, freshness: ReceivedFreshness): Promise<void> {
  const { nodes = [] } = freshness
  const now = cli.context.now()
  const { part, runs, nodes: count, support, skew, names } = nodeColumns(now)
  const columns = [part, runs, count, support, skew, names]
  const text = (io: Io) =>
    [
      nodes.length > 0 ? renderTable(io, drawColumns(io, columns), nodes) : '',
      ...nodeNotes(freshness, now).map(({ tone, said }) => `${paint(io, tone)(drawSaid(io, said))}\n`),
    ].join('')
  await show(cli, {
    body: freshness,
    rows: nodes,
    columns: () => dataColumns(columns),
    ...(nodes.length > 0 && { text }),
    empty: emptyText(freshness),
  })
}

function emptyText({ unread = [] }: ReceivedFreshness): string {
  const refused = unread.find(({ source }) => source === 'nodes')
  if (refused) return `What the nodes run is not known. ${refused.reason}`
  return 'The inventory of this run has no nodes. Inventories list them where the account may list nodes.'
}
