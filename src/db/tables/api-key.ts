import type { Generated } from 'kysely'
import type { KeyScope } from '../../contract/api-key.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** An application password of a user, known by its keyed hash alone. */
export interface ApiKeyTable {
  id: Generated<number>
  uuid: string
  user_id: number
  name: string
  secret_hash: Uint8Array
  created_at: UnixSeconds
  last_used_at: UnixSeconds | null
  expires_at: UnixSeconds | null
  scope: Generated<KeyScope>
  /** See `tags.ts`; null grants nothing, here and elsewhere. */
  tag: Uint8Array | null
}
