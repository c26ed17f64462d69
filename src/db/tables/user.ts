import type { Generated } from 'kysely'

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
  plan: 'free' | 'pro' | 'pro_plus'
  created_at: number
}
