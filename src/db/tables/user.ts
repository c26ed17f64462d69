import type { Generated } from 'kysely'
import type { Plan } from '../../contract/subscription.ts'

/** Facts about the store itself: which key seals it, which catalog it holds. */
export interface MetaTable {
  key: string
  value: string
}

export interface UserTable {
  id: Generated<number>
  login: string
  email: string | null
  role: 'user' | 'admin'
  plan: Plan
  created_at: number
  /** Hash for the browser sign-in; null for users without a password. */
  password_hash: string | null
  webhook_release_types: Generated<string>
}
