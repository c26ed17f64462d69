import type { Generated } from 'kysely'
import type { KeyScope } from '../../contract/api-key.ts'

/** An application password of a user, known by its keyed hash alone. */
export interface ApiKeyTable {
  id: Generated<number>
  uuid: string
  user_id: number
  name: string
  secret_hash: Uint8Array
  created_at: number
  last_used_at: number | null
  expires_at: number | null
  scope: Generated<KeyScope>
}

export interface SessionTable {
  token_hash: Uint8Array
  user_id: number
  nonce: string
  expires_at: number
}

/** The audit log. The user of an entry may have been removed. */
export interface AuditTable {
  id: Generated<number>
  at: number
  user_id: number | null
  login: string | null
  action: string
  subject: string | null
  request_id: string | null
}
