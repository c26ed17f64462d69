import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

/** Something that lasts from a time to another. At most one of a kind and key is open. */
export interface EventTable {
  id: Generated<number>
  owner_id: number
  kind: string
  key: string
  opened_at: UnixSeconds
  ended_at: UnixSeconds | null
  /** JSON. */
  data: string
}
