import type { UnixSeconds } from '../../util/time.ts'

export interface SessionTable {
  token_hash: Uint8Array
  user_id: number
  nonce: string
  expires_at: UnixSeconds
}
