import type { ReceivedFreshness } from '../contract/received/cluster-report.ts'
import type { UnixSeconds } from '../util/time.ts'
import { nodeColumns, nodeNotes } from './nodes.ts'
import type { Note, Table } from './view.ts'
import { comparableCharts, wantedColumns } from './wanted.ts'

/** A table of an inventory about something other than artifacts. */
export interface InventoryTable<Row> extends Table<Row> {
  heading: string
  /** Above the table, and instead of one without rows. */
  notes?: Note[]
}

const { repository: _, ...shownOfWanted } = wantedColumns

const toTable = <Row>(table: InventoryTable<Row>) => table

export const inventoryTables = (found: ReceivedFreshness, now: UnixSeconds) => ({
  nodes: toTable({
    key: 'nodes',
    heading: 'Nodes',
    title: 'What the nodes run',
    notes: nodeNotes(found, now),
    columns: Object.values(nodeColumns(now)),
    rows: found.nodes ?? [],
  }),
  wanted: toTable({
    key: 'wanted',
    heading: 'What git wants',
    title: 'Charts that are wanted, beside what runs',
    columns: Object.values(shownOfWanted),
    rows: comparableCharts(found.wanted),
  }),
})
