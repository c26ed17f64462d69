import { sql } from 'kysely'
import type { FollowedProject, Membership, Team, TeamMember, TeamRole } from '../../contract/team.ts'
import type { Db } from '../../db/open.ts'
import { selectPage } from '../../db/page.ts'
import { invalidParams, ReltError } from '../../errors.ts'
import type { Page, PageChoice } from '../../util/page.ts'
import { formatTimestamp } from '../../util/time.ts'

/**
 * Adds a team, and the account for its notifications. Throws `invalid_param` if the name is taken. Returns the team's id,
 * which is not the id of its `owner` row.
 */
export async function addTeam(db: Db, name: string, now: number) {
  const added = await db
    .insertInto('team')
    .values({ name, created_at: now })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!added) throw nameTaken(name)
  const login = accountFor(name)
  await db
    .insertInto('user')
    .values({ team_id: added.id, login, email: null, role: 'user', plan: 'free', created_at: now })
    .execute()
  return added.id
}

export async function getTeamId(db: Db, name: string): Promise<number> {
  const row = await db.selectFrom('team').select('id').where('name', '=', name).executeTakeFirst()
  return row?.id ?? unknownTeam(name)
}

/** Id of a team's row in `owner`. */
export async function getTeamOwner(db: Db, name: string): Promise<number> {
  const row = await db
    .selectFrom('owner')
    .innerJoin('team', 'team.id', 'owner.team_id')
    .select('owner.id')
    .where('team.name', '=', name)
    .executeTakeFirst()
  return row?.id ?? unknownTeam(name)
}

/** Sorted by name. */
export async function listTeams(db: Db): Promise<Team[]> {
  return (await teams(db).orderBy('team.name').execute()).map(toTeam)
}

export async function getTeam(db: Db, name: string): Promise<Team> {
  const row = await teams(db).where('team.name', '=', name).executeTakeFirst()
  return row ? toTeam(row) : unknownTeam(name)
}

/** Owners first, then by login. */
export async function listMembers(db: Db, teamId: number): Promise<TeamMember[]> {
  const rows = await db
    .selectFrom('team_member')
    .innerJoin('user', 'user.id', 'team_member.user_id')
    .select(['login', 'team_member.role', 'is_default'])
    .where('team_member.team_id', '=', teamId)
    .orderBy(sql`case team_member.role when 'owner' then 0 when 'member' then 1 else 2 end`)
    .orderBy('login')
    .execute()
  return rows.map((row) => ({ ...row, is_default: row.is_default === 1 }))
}

const toFollowers = (users: { login: string; team_id: number | null }[] = []) => ({
  followers: users.filter(({ team_id }) => team_id === null).map(({ login }) => login),
  by_team: users.some(({ team_id }) => team_id !== null),
})

/** Projects that the team or its members subscribe to, by name, with the subscribers' logins. */
export async function listFollowed(
  db: Db,
  { teamId, projectId }: { teamId: number; projectId: number | undefined },
  choice: PageChoice,
): Promise<Page<FollowedProject>> {
  let followed = db
    .selectFrom('subscription')
    .innerJoin('user', 'user.id', 'subscription.user_id')
    .innerJoin('project', 'project.id', 'subscription.project_id')
    .where((eb) => {
      const members = eb.selectFrom('team_member').select('user_id').where('team_member.team_id', '=', teamId)
      return eb.or([eb('user.team_id', '=', teamId), eb('user.id', 'in', members)])
    })
  if (projectId !== undefined) followed = followed.where('project.id', '=', projectId)
  const projects = await selectPage(
    followed.select(['project.id', 'project.name']).distinct().orderBy('project.name').orderBy('project.id'),
    choice,
    (project) => project,
    async () => {
      const count = followed.select((eb) => eb.fn.count<number>('project.id').distinct().as('total'))
      return (await count.executeTakeFirstOrThrow()).total
    },
  )
  const ids = projects.items.map(({ id }) => id)
  const followers =
    ids.length === 0
      ? []
      : await followed
          .select(['project.id', 'user.login', 'user.team_id'])
          .where('project.id', 'in', ids)
          .orderBy('user.login')
          .execute()
  const byProject = Map.groupBy(followers, ({ id }) => id)
  const items = projects.items.map(({ id, name }) => ({ product_id: id, name, ...toFollowers(byProject.get(id)) }))
  return { ...projects, items }
}

/** The account for the team's notifications. */
export async function getAccountOfTeam(db: Db, teamId: number) {
  const { id } = await db.selectFrom('user').select('id').where('team_id', '=', teamId).executeTakeFirstOrThrow()
  return id
}

export async function setTeamEmail(trx: Db, name: string, email: string | null) {
  const teamId = await getTeamId(trx, name)
  await trx.updateTable('user').set({ email }).where('team_id', '=', teamId).execute()
}

/** The teams of a user, the default one first. */
export async function listMemberships(db: Db, userId: number): Promise<Membership[]> {
  const rows = await db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .select(['team.name', 'role', 'is_default'])
    .where('user_id', '=', userId)
    .orderBy('is_default', 'desc')
    .orderBy('team.name')
    .execute()
  return rows.map((row) => ({ ...row, is_default: row.is_default === 1 }))
}

/** Undefined if the team does not exist or the user is not a member. */
export function findMembership(db: Db, name: string, userId: number) {
  return db
    .selectFrom('team_member')
    .innerJoin('team', 'team.id', 'team_member.team_id')
    .innerJoin('owner', 'owner.team_id', 'team.id')
    .select(['team.id as teamId', 'owner.id as ownerId', 'team_member.role', 'team_member.tag'])
    .where('team.name', '=', name)
    .where('team_member.user_id', '=', userId)
    .executeTakeFirst()
}

/** A user's first team becomes the default. Throws `invalid_param` if the user is already a member. */
export async function addMember(
  trx: Db,
  { teamId, userId }: MemberPlace,
  { role, tag, madeBy }: { role: TeamRole; tag: Uint8Array; madeBy: string | null },
) {
  const added = await trx
    .insertInto('team_member')
    .values({ team_id: teamId, user_id: userId, role, is_default: 0, tag, made_by: madeBy })
    .onConflict((conflict) => conflict.columns(['team_id', 'user_id']).doNothing())
    .returning('team_id')
    .executeTakeFirst()
  if (!added) throw invalidParams({ login: 'is a member of the team already' })
  await fillDefaults(trx, userId)
}

interface MemberPlace {
  teamId: number
  userId: number
}

/** Throws `not_found` if the user is not a member. */
export async function setMemberRole(
  trx: Db,
  { teamId, userId }: MemberPlace,
  { role, tag }: { role: TeamRole; tag: Uint8Array },
) {
  const { numUpdatedRows } = await trx
    .updateTable('team_member')
    .set({ role, tag })
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw noMember()
}

/** Another team of the user becomes the default. Throws `not_found` if the user is not a member. */
export async function removeMember(trx: Db, { teamId, userId }: MemberPlace) {
  const { numDeletedRows } = await trx
    .deleteFrom('team_member')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) throw noMember()
  await fillDefaults(trx, userId)
}

/** Throws `invalid_param` if the name is taken. */
export async function renameTeam(trx: Db, name: string, newName: string) {
  const id = await getTeamId(trx, name)
  const other = await trx.selectFrom('team').select('id').where('name', '=', newName).executeTakeFirst()
  if (other && other.id !== id) throw nameTaken(newName)
  await trx.updateTable('team').set({ name: newName }).where('id', '=', id).execute()
  await trx
    .updateTable('user')
    .set({ login: accountFor(newName) })
    .where('team_id', '=', id)
    .execute()
}

/** Deletes a team with its clusters, runs, profiles and exceptions. */
export async function deleteTeam(trx: Db, name: string) {
  const { numDeletedRows } = await trx.deleteFrom('team').where('name', '=', name).executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) unknownTeam(name)
  await fillDefaults(trx)
}

/** Users with teams but no default get their oldest team as default: one user, or all. */
async function fillDefaults(trx: Db, userId?: number) {
  await sql`
    update team_member set is_default = 1
    where ${userId === undefined ? sql`true` : sql`user_id = ${userId}`}
      and not exists (select 1 from team_member as other where other.user_id = team_member.user_id and other.is_default = 1)
      and team_id = (select min(team_id) from team_member as other where other.user_id = team_member.user_id)`.execute(
    trx,
  )
}

function teams(db: Db) {
  return db
    .selectFrom('team')
    .innerJoin('owner', 'owner.team_id', 'team.id')
    .select(['team.name', 'team.created_at'])
    .select([
      sql<number>`(select count(*) from team_member where team_id = team.id)`.as('members'),
      sql<number>`(select count(*) from cluster where owner_id = owner.id)`.as('clusters'),
      sql<number>`(select count(*) from run join cluster on cluster.id = run.cluster_id where owner_id = owner.id)`.as(
        'runs',
      ),
      sql<number>`(select count(*) from cluster_config where owner_id = owner.id)`.as('profiles'),
    ])
}

type TeamRow = Awaited<ReturnType<ReturnType<typeof teams>['executeTakeFirstOrThrow']>>

function toTeam({ name, created_at, ...counts }: TeamRow): Team {
  return { name, created: formatTimestamp(created_at), ...counts }
}

/** Account name in the audit. No user's login contains a slash. */
const accountFor = (name: string) => `team/${name}`
const nameTaken = (name: string) => invalidParams({ team: `${name} is taken` })
const noMember = () => new ReltError('not_found', 'The user is not a member of the team.')

function unknownTeam(name: string): never {
  throw new ReltError('not_found', `No team named ${name}.`)
}
