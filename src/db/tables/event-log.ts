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
  /** What happens only once; null: any number of times. */
  key: string | null
  /** JSON. */
  data: string
}
