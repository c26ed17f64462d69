import type { UnixSeconds } from '../../util/time.ts'

/** Where an account signed in with its password. */
export interface KnownAddressTable {
  user_id: number
  /** Keyed, of an IP address or a network. */
  address_hash: Uint8Array
  used_at: UnixSeconds
}
