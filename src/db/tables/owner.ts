import type { Generated } from 'kysely'

/** Owner of clusters, profiles and exceptions: a user or a team. Triggers add the owner of each. */
export interface OwnerTable {
  id: Generated<number>
  user_id: number | null
  team_id: number | null
}
