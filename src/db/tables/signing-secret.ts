import type { Generated } from 'kysely'
import type { Sealed } from '../../util/seal.ts'
import type { UnixSeconds } from '../../util/time.ts'

/** A secret that signs the generic webhook of an account or of one of its subscriptions. */
export interface SigningSecretTable {
  id: Generated<number>
  /** The account; the seal is bound to it. */
  user_id: number
  /** Null: of the account itself. */
  subscription_id: number | null
  created_at: UnixSeconds
  /** Null for the current one; a rotated one signs until then. */
  valid_until: UnixSeconds | null
  key_id: string
  sealed: Sealed
}
