import type { UnixSeconds } from '../../util/time.ts'
/** A key that seals or hashes, wrapped by the store's master key. */
export interface DataKeyTable {
  id: string
  purpose: 'seal' | 'hash'
  wrapped: Uint8Array
  master_key_id: string
  /** Unix seconds. */
  created_at: UnixSeconds
  /** Unix seconds; nothing new is sealed with it from then on. */
  retired_at: UnixSeconds | null
}
