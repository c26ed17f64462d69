import { type Selectable, sql } from 'kysely'
import type { WebhookField } from '../../contract/channels.ts'
import type { Subscription, SubscriptionSettings } from '../../contract/subscription.ts'
import { joinInOrder, textRows, toPosition, withoutCase } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { countRows } from '../../db/page.ts'
import type { Tables } from '../../db/schema/index.ts'
import { notFound } from '../../errors.ts'
import { newestStable } from '../../freshness/newest-release.ts'
import { formatTimestamp } from '../../util/time.ts'
import { labelsOfSubscriptions } from './label.ts'
import { plainList } from './plain-list.ts'

/** Ids of the projects. */
export async function listSubscribedIds(db: Db, userId: number) {
  const rows = await db
    .selectFrom('subscription')
    .select('project_id')
    .where('user_id', '=', userId)
    .orderBy('project_id')
    .execute()
  return rows.map((row) => row.project_id)
}

/** Sorted by project name; without webhooks. */
export async function listSubscriptions(
  db: Db,
  userId: number,
): Promise<Omit<Subscription, WebhookField | 'webhook_url'>[]> {
  const rows = await db
    .selectFrom('subscription')
    .innerJoin('project', 'project.id', 'subscription.project_id')
    .selectAll('subscription')
    .select(['project.name', 'project.logo_url', 'project.description', 'project.repo_url'])
    .where('user_id', '=', userId)
    .orderBy(withoutCase(sql`project.name`))
    .orderBy('subscription.id')
    .execute()
  const latest = await latestReleases(db, userId)
  const labels = await labelsOfSubscriptions(db, userId)
  return rows.map((row) => ({
    ...toSettings(row),
    id: row.id,
    user_id: row.user_id,
    product_id: row.project_id,
    created_at: formatTimestamp(row.created_at),
    name: row.name,
    logo_url: row.logo_url || null,
    description: row.description,
    repo_url: row.repo_url,
    latest_release: latest.get(row.id) ?? null,
    labels: labels.get(row.id) ?? [],
  }))
}

export function countSubscriptions(db: Db, userId: number) {
  return countRows(db.selectFrom('subscription').where('user_id', '=', userId))
}

/** Mails are on for apps and charts, one mail per release; webhooks default to the account's. Returns the id. */
export async function insertSubscription(trx: Db, subscription: { userId: number; projectId: number; now: number }) {
  const { id } = await trx
    .insertInto('subscription')
    .values({
      user_id: subscription.userId,
      project_id: subscription.projectId,
      email_enabled: 1,
      email_frequency: 'per_app',
      release_types_filter: 'app,helm',
      webhook_release_types: 'app,helm',
      use_global_webhooks: 1,
      notifications_paused: 0,
      created_at: subscription.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the id of the deleted subscription, or undefined if there was none. */
export async function deleteSubscription(trx: Db, userId: number, projectId: number) {
  const row = await trx
    .deleteFrom('subscription')
    .where('user_id', '=', userId)
    .where('project_id', '=', projectId)
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

export type SettingsChange = Omit<SubscriptionSettings, 'subscription_id' | 'webhook_url' | WebhookField>

/** The settings of a subscription, and its project. */
export async function getSubscription(db: Db, userId: number, id: number) {
  const row = await db
    .selectFrom('subscription')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw notFound('subscription', id)
  return { ...toSettings(row), id: row.id, projectId: row.project_id }
}

/** Changes only the given fields of a subscription. */
export async function updateSubscription(
  db: Db,
  { userId, id }: { userId: number; id: number },
  change: SettingsChange,
) {
  const updated = await db
    .updateTable('subscription')
    .set({
      // Included because an empty update must still detect a missing subscription.
      user_id: userId,
      email_enabled: toInteger(change.email_enabled),
      email_frequency: change.email_frequency,
      release_types_filter: plainList(change.release_types_filter),
      webhook_release_types: plainList(change.webhook_release_types),
      use_global_webhooks: toInteger(change.use_global_webhooks),
      notifications_paused: toInteger(change.notifications_paused),
    })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('id')
    .executeTakeFirst()
  if (!updated) throw notFound('subscription', id)
}

/** Subscription id → latest release among its types. */
async function latestReleases(db: Db, userId: number) {
  // One lookup in `release_by_project` per subscription and type, for the newest time; usually a single release has it.
  const { rows } = await sql<LatestRow>`
    select subscription.id as subscription_id, release.id, release.version, release.type,
      release.published_at as "publishedAt", release.has_security_fix
    from subscription
      cross join ${textRows(['app', 'helm', 'pre'], 'wanted')}
      ${joinInOrder()} release on release.project_id = subscription.project_id and release.type = wanted.value
        and release.published_at = (
          select max(published_at) from release
          where project_id = subscription.project_id and type = wanted.value and fault is null)
        and release.fault is null
    where subscription.user_id = ${userId}
      and ${toPosition(sql`',' || wanted.value || ','`, sql`',' || subscription.release_types_filter || ','`)} > 0
    order by release.id`.execute(db)
  const latest = Map.groupBy(rows, (row) => row.subscription_id)
  return new Map([...latest].map(([id, releases]) => [id, toLatest(releases)]))
}

interface LatestRow {
  subscription_id: number
  id: number
  version: string
  type: 'app' | 'helm' | 'pre'
  publishedAt: number
  has_security_fix: number
}

/**
 * The newest app release if apps are included, as in the catalog; else the newest chart release. Among equal times, the
 * newest version.
 */
function toLatest(releases: LatestRow[]) {
  const apps = releases.filter(({ type }) => type !== 'helm')
  const wanted = apps.length > 0 ? apps : releases
  const last = Math.max(...wanted.map((release) => release.publishedAt))
  const candidates = wanted.filter((release) => release.publishedAt === last)
  const { id, version, publishedAt, has_security_fix } = newestStable(candidates) ?? candidates.at(-1)!
  return { id, version, published_at: formatTimestamp(publishedAt), has_security_fix: has_security_fix === 1 }
}

export function toSettings(row: Selectable<Tables['subscription']>) {
  return {
    email_enabled: row.email_enabled === 1,
    email_frequency: row.email_frequency,
    release_types_filter: row.release_types_filter,
    webhook_release_types: row.webhook_release_types,
    use_global_webhooks: row.use_global_webhooks === 1,
    notifications_paused: row.notifications_paused === 1,
  }
}

const toInteger = (value: boolean | undefined) => (value === undefined ? undefined : Number(value))
