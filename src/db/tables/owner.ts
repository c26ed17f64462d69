import type { Generated } from 'kysely'

/** Who clusters, profiles and exceptions belong to: a user or a team. Triggers add the owner of each. */
export interface OwnerTable {
  id: Generated<number>
  user_id: number | null
  team_id: number | null
}
