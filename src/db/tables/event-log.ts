import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

/** Something that happened at one moment. Rows are added and expire; none changes. */
export interface EventLogTable {
  id: Generated<number>
  type: string
  at: UnixSeconds
  /** Null: of the catalog. */
  owner_id: number | null
  project_id: number | null
  cluster_id: number | null
  /** Identifies an event that happens only once; null if it may repeat. */
  key: string | null
  /** JSON. */
  data: string
}
