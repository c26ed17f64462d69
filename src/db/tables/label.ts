import type { Generated } from 'kysely'

export interface LabelTable {
  id: Generated<number>
  user_id: number
  name: string
  color: string
}
