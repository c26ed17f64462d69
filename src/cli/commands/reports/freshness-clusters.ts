import type { ReceivedFreshness } from '../../../contract/received/cluster-report.ts'
import { dataColumns, drawColumns } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import { clusterProfileColumns, profileSource } from '../../../views/cluster-profiles.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'

/** Shows the clusters in ClusterProfiles of the run's cluster. */
export async function showClusterProfiles(cli: Cli, freshness: ReceivedFreshness): Promise<void> {
  const { cluster_profiles: rows = [], unread = [] } = freshness
  const columns = Object.values(clusterProfileColumns)
  const refused = unread.find(({ source }) => source === profileSource)
  await show(cli, {
    body: freshness,
    rows,
    columns: () => dataColumns(columns),
    ...(rows.length > 0 && { text: (io) => renderTable(io, drawColumns(io, columns), rows) }),
    empty: refused
      ? `The clusters of the fleet are not known. ${refused.reason}`
      : 'The inventory of this run has no ClusterProfile: its cluster is no hub of a fleet.',
  })
}
