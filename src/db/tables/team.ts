import type { Generated } from 'kysely'
import type { UnixSeconds } from '../../util/time.ts'

export interface TeamTable {
  id: Generated<number>
  name: string
  created_at: UnixSeconds
}
