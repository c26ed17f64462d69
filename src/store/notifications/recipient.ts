import { type Selectable, sql } from 'kysely'
import type { TeamRole } from '../../contract/team.ts'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import type { AccountRules, Recipient } from '../../delivery/rules.ts'
import { toSettings } from './subscription.ts'

type Row<T extends keyof Tables> = Selectable<Tables[T]>

export interface RecipientFilter {
  /** Accounts; all if absent. */
  userIds?: readonly number[]
  /** Only subscriptions to these projects; all if absent. */
  projectIds?: readonly number[]
}

/** Memberships of some accounts, or of all, with their tags. */
export async function listMembershipsFor(db: Db, userIds?: readonly number[]) {
  const ofUsers = userIds ? sql`in ${integers(userIds)}` : sql`is not null`
  const { rows } = await sql<StoredMembership>`
    select member.team_id as "teamId", member.user_id as "userId", owner.id as "ownerId", member.role as role, member.tag as tag
    from team_member as member join owner on owner.team_id = member.team_id where member.user_id ${ofUsers}`.execute(db)
  return rows
}

export interface StoredMembership {
  teamId: number
  userId: number
  ownerId: number
  role: TeamRole
  tag: Uint8Array | null
}

/**
 * Accounts by id, with their rules and subscriptions, including those notified for the teams of these memberships. Webhooks
 * stay sealed: only their channels are read.
 */
export async function listRecipients(
  db: Db,
  { userIds, projectIds }: RecipientFilter,
  memberships: Pick<StoredMembership, 'userId' | 'ownerId'>[],
): Promise<Recipient[]> {
  const ofUsers = userIds ? sql`in ${integers(userIds)}` : sql`is not null`
  const ofProjects = projectIds ? sql`in ${integers(projectIds)}` : sql`is not null`
  const users = await sql<Pick<Row<'user'>, 'id' | 'email' | keyof AccountRules>>`
    select id, email, webhook_release_types, time_zone, digest_hour, digest_weekday, quiet_hours, quiet_hours_except,
      min_severity, only_what_runs, cluster_events, cluster_scope, cluster_mails,
      owner_scope, fleet_report
    from "user" where id ${ofUsers} and disabled_at is null order by id`.execute(db)
  const subscriptions = await sql<Row<'subscription'>>`
    select id, user_id, project_id, created_at, email_enabled, email_frequency, release_types_filter,
      webhook_release_types, use_global_webhooks, notifications_paused
    from subscription where user_id ${ofUsers} and project_id ${ofProjects}`.execute(db)
  const webhooks = await sql<Pick<Row<'webhook'>, 'user_id' | 'subscription_id' | 'channel'>>`
    select user_id, subscription_id, channel from webhook where user_id ${ofUsers}`.execute(db)
  const accounts = await sql<{ userId: number; ownerId: number }>`
    select user_id as "userId", id as "ownerId" from owner where user_id ${ofUsers}
    union all select "user".id, owner.id from "user" join owner on owner.team_id = "user".team_id
    where "user".id ${ofUsers}`.execute(db)
  const webhooksFor = Map.groupBy(webhooks.rows, (row) => row.user_id)
  const subscriptionsFor = Map.groupBy(subscriptions.rows, (row) => row.user_id)
  const ownersFor = Map.groupBy([...accounts.rows, ...memberships], (row) => row.userId)
  return users.rows.map(({ id, email, only_what_runs, cluster_mails, ...rules }) => {
    const own = webhooksFor.get(id) ?? []
    return {
      userId: id,
      hasEmail: Boolean(email),
      webhooks: channelsFor(own, null),
      rules: { ...rules, only_what_runs: only_what_runs === 1, cluster_mails: cluster_mails === 1 },
      subscriptions: new Map(
        (subscriptionsFor.get(id) ?? []).map((row) => [
          row.project_id,
          {
            ...toSettings(row),
            id: row.id,
            projectId: row.project_id,
            since: row.created_at,
            webhooks: channelsFor(own, row.id),
          },
        ]),
      ),
      ownerIds: new Set((ownersFor.get(id) ?? []).map((row) => row.ownerId)),
    }
  })
}

const channelsFor = (webhooks: Pick<Row<'webhook'>, 'subscription_id' | 'channel'>[], subscriptionId: number | null) =>
  new Set(webhooks.filter((one) => one.subscription_id === subscriptionId).map(({ channel }) => channel))

/** Accounts that subscribe to one of the projects. */
export async function listFollowerIds(db: Db, projectIds: readonly number[]) {
  const { rows } = await sql<{ user_id: number }>`
    select distinct user_id from subscription
    where project_id in ${integers(projectIds)}`.execute(db)
  return rows.map((row) => row.user_id)
}

/** Accounts that want cluster events, with the event types. */
export function listClusterListeners(db: Db) {
  return db.selectFrom('user').select(['id', 'cluster_events as events']).where('cluster_events', '!=', '').execute()
}
