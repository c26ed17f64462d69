import type { Generated } from 'kysely'
import type { Plan } from '../../contract/subscription.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface UserTable {
  id: Generated<number>
  login: string
  email: string | null
  role: 'user' | 'admin'
  plan: Plan
  created_at: UnixSeconds
  /** Hash for the browser sign-in; null for users without a password. */
  password_hash: string | null
  webhook_release_types: Generated<string>
}
