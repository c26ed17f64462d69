import { ownAccount } from '../../contract/choices.ts'
import type { Plan } from '../../contract/subscription.ts'
import type { TeamRole } from '../../contract/team.ts'
import { fixedQuery } from '../../db/fixed-query.ts'
import type { Db } from '../../db/open.ts'

/** The user or team that a caller acts for, owner of clusters, runs, profiles and exceptions. */
export interface Owner {
  id: number
  /** Name of the team; null for the user's own account. */
  team: string | null
  /** The caller's role; `owner` in their own account. */
  role: TeamRole
  /** For a team: the highest plan of its members. */
  plan: Plan
  /** Account with the owner's subscriptions and notifications. */
  account_id: number
}

/** A team, looked up for one of its members. */
export interface OwnerRow extends Owner {
  /** Null for the user's own account, which needs no tag. */
  team_id: number | null
  tag: Uint8Array | null
}

/**
 * The team with this name if the user is a member, else undefined; `me` is the user's own account. Without a name: the
 * default team, else the own account.
 */
export async function findOwner(db: Db, userId: number, team?: string) {
  if (team !== undefined && team !== ownAccount) return (await ofTeam(db, [userId, team]))[0]
  const [account] = await ofUser(db, [userId])
  if (!account) return undefined
  const { has_default, ...own } = account
  const [ofDefault] = team === undefined && has_default ? await ofDefaultTeam(db, [userId]) : []
  return ofDefault ?? own
}

const teamOwner = `select owner.id, team.id as team_id, member.tag, team.name as team, member.role, (
    select "user".plan from team_member as each join "user" on "user".id = each.user_id
    where each.team_id = team.id
    order by case "user".plan when 'pro_plus' then 0 when 'pro' then 1 else 2 end limit 1) as plan,
    (select "user".id from "user" where "user".team_id = team.id) as account_id
  from team_member as member
  join team on team.id = member.team_id
  join owner on owner.team_id = team.id
  where member.user_id = ?`

// Precompiled, because every signed-in request needs one, and building a query takes longer than running it. PostgreSQL
// plans each again, and the team query takes three times as long.
const ofUser = fixedQuery<OwnerRow & { has_default: number }>(`
  select owner.id, null as team_id, null as tag, null as team, 'owner' as role, "user".plan,
    "user".id as account_id,
    exists (select 1 from team_member where user_id = owner.user_id and is_default = 1) as has_default
  from owner join "user" on "user".id = owner.user_id
  where owner.user_id = ?`)
const ofDefaultTeam = fixedQuery<OwnerRow>(`${teamOwner} and member.is_default = 1`)
const ofTeam = fixedQuery<OwnerRow>(`${teamOwner} and team.name = ?`)

/** Id of a team's row in `owner`. */
export async function getTeamAccount(db: Db, teamId: number) {
  const { id } = await db.selectFrom('owner').select('id').where('team_id', '=', teamId).executeTakeFirstOrThrow()
  return id
}

/** Id of the row in `owner` that an account's settings are about: of a team or of the user. */
export async function findOwnerOfAccount(db: Db, userId: number) {
  const row = await db
    .selectFrom('user')
    .innerJoin('owner', (join) =>
      join.on((eb) =>
        eb.or([eb('owner.user_id', '=', eb.ref('user.id')), eb('owner.team_id', '=', eb.ref('user.team_id'))]),
      ),
    )
    .select('owner.id')
    .where('user.id', '=', userId)
    .executeTakeFirst()
  return row?.id
}

/** Id of the `owner` row for a user's own account. */
export async function getOwnAccount(db: Db, userId: number) {
  const { id } = await db.selectFrom('owner').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow()
  return id
}
