import type { ReceivedFreshness } from '../../../contract/received/cluster-report.ts'
import { dataColumns, drawColumns, drawSaid, paint } from '../../../render/terminal/draw.ts'
import { renderTable } from '../../../render/terminal/table.ts'
import {
  customResourceColumns,
  customResourceNotes,
  definitionSource,
  sortCustomResources,
} from '../../../views/custom-resources.ts'
import type { Io } from '../../output/io.ts'
import { show } from '../../output/output.ts'
import type { Cli } from '../../program/command.ts'

/** Shows the custom resources of a run's cluster. */
export async function showCustomResources(cli: Cli, freshness: ReceivedFreshness): Promise<void> {
  const rows = sortCustomResources(freshness.custom_resources ?? [])
  const columns = Object.values(customResourceColumns)
  const notes = customResourceNotes(freshness)
  const text = (io: Io) =>
    [
      rows.length > 0 ? renderTable(io, drawColumns(io, columns), rows) : '',
      ...notes.map(({ tone, said }) => `${paint(io, tone)(drawSaid(io, said))}\n`),
    ].join('')
  await show(cli, {
    body: freshness,
    rows,
    columns: () => dataColumns(columns),
    ...(rows.length > 0 && { text }),
    empty: emptyText(freshness),
  })
}

function emptyText({ custom_resources, unread = [] }: ReceivedFreshness): string {
  if (custom_resources) return 'The cluster has no custom resources.'
  const refused = unread.find(({ source }) => source === definitionSource)
  if (refused) return `The definitions of custom resources are not known. ${refused.reason}`
  return 'The inventory of this run has no definitions of custom resources. Inventories list them where the account may list them.'
}
