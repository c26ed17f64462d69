import type { TeamRole } from '../../contract/team.ts'

export interface TeamMemberTable {
  team_id: number
  user_id: number
  role: TeamRole
  /** 1 in the one team that the user acts for by default. */
  is_default: number
  tag: Uint8Array | null
  made_by: string | null
}
