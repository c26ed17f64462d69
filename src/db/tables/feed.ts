import type { Generated } from 'kysely'
import type { FeedKind } from '../../contract/feed.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface FeedTable {
  id: Generated<number>
  public_id: string
  user_id: number
  /** Whose clusters it is about. */
  owner_id: number
  /** Of `changes`. */
  cluster_id: number | null
  kind: FeedKind
  token_hash: Uint8Array
  created_at: UnixSeconds
  last_used_at: UnixSeconds | null
  tag: Uint8Array | null
  made_by: string | null
  /** When the key ends that made it. */
  expires_at: UnixSeconds | null
}
