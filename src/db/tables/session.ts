import type { UnixSeconds } from '../../util/time.ts'

export interface SessionTable {
  token_hash: Uint8Array
  user_id: number
  nonce: string
  expires_at: UnixSeconds
  /** Null for a session that was opened with the password of the account. */
  key_id: number | null
  tag: Uint8Array | null
}
