import { type RawBuilder, sql } from 'kysely'
import type { RecentRelease } from '../../contract/project.ts'
import type { EmailFrequency, FeedItem } from '../../contract/subscription.ts'
import { byIndex, equalsWithoutCase, integers, joinInOrder, textRows, toPosition } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { formatTimestamp } from '../../util/time.ts'

/** Unix seconds, both ends inclusive. */
export interface Period {
  since: number
  until: number
}

interface RecentFilter {
  limit: number
  /** Exact match, ignoring case. */
  category?: string | undefined
  securityOnly: boolean
  until: number
}

/** A release with the members of an answer, in its order. */
type Listed<Answer> = Omit<Answer, 'published_at' | 'has_security_fix'> & {
  published_at: number
  has_security_fix: 0 | 1
}

const feedColumns = sql`project_id as product_id, name, version, published_at, type, has_security_fix, security_severity`

/** Newest first, as all lists in this file. */
export async function listRecentReleases(db: Db, filter: RecentFilter): Promise<RecentRelease[]> {
  return releasesWithNotes(db, recentIds(filter), filter.limit)
}

/** Releases of the projects that a user subscribes to, of the types that each subscription includes. */
export async function listFollowedReleases(
  db: Db,
  userId: number,
  { limit, ...period }: Period & { limit: number },
): Promise<RecentRelease[]> {
  const ids = sql`select release.id ${followed(userId, period)} order by published_at desc, release.id desc limit ${sql.lit(limit)}`
  return releasesWithNotes(db, ids, limit)
}

/** Like `listFollowedReleases`, without release notes, which are long and only the dashboard shows. */
export async function listFeed(
  db: Db,
  userId: number,
  { limit, ...period }: Period & { limit: number },
): Promise<FeedItem[]> {
  const { rows } = await sql<Listed<FeedItem>>`
    with recent as (
      select release.id as recent_id ${followed(userId, period)}
      order by published_at desc, release.id desc limit ${sql.lit(limit)})
    select ${feedColumns}
    from recent ${joinInOrder()} release on release.id = recent_id join project on project.id = project_id
    order by published_at desc, release.id desc`.execute(db)
  return rows.map(toAnswer<FeedItem>)
}

/** Releases by id. */
export async function listFeedFor(db: Db, ids: number[], limit: number) {
  const { rows } = await sql<Listed<FeedItem & { release_id: number }>>`
    select ${feedColumns}, release.id as release_id
    from release join project on project.id = project_id
    where release.id in ${integers(ids)} and fault is null
    order by published_at desc, release.id desc limit ${sql.lit(limit)}`.execute(db)
  return rows.map(toAnswer<FeedItem & { release_id: number }>)
}

const toAnswer = <Answer>(row: Listed<Answer>) =>
  ({
    ...row,
    published_at: formatTimestamp(row.published_at),
    has_security_fix: row.has_security_fix === 1,
  }) as Answer

/** Number of releases in a digest: of active subscriptions with that frequency. */
export async function countDigestReleases(
  db: Db,
  userId: number,
  { frequency, ...period }: Period & { frequency: EmailFrequency },
) {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total ${followed(userId, period)}
      and email_frequency = ${frequency} and email_enabled = 1 and notifications_paused = 0`.execute(db)
  return rows[0]!.total
}

/** SQLite does not reorder cross joins: reads one range of `release_by_project` per subscription and type. */
function followed(userId: number, { since, until }: Period) {
  return sql`
    from subscription
      cross join ${textRows(['app', 'helm', 'pre'], 'wanted')}
      ${joinInOrder()} release on release.project_id = subscription.project_id and release.type = wanted.value
    where subscription.user_id = ${userId} and published_at between ${since} and ${until} and fault is null
      and ${toPosition(sql`',' || wanted.value || ','`, sql`',' || release_types_filter || ','`)} > 0`
}

function recentIds({ limit, category, securityOnly, until }: RecentFilter) {
  const newest = sql`order by published_at desc, release.id desc limit ${sql.lit(limit)}`
  // Fixes are few and have their own index; without it, a category with no recent releases would read all.
  if (securityOnly) {
    const ofCategory =
      category === undefined ? sql`` : sql`and project_id in (select id from project where ${isCategory(category)})`
    return sql`select id from release ${byIndex('release_security_by_time')}
      where has_security_fix = 1 and published_at <= ${until} and fault is null ${ofCategory} ${newest}`
  }
  if (category === undefined)
    return sql`select id from release where published_at <= ${until} and fault is null ${newest}`
  return sql`
    select release.id from project
      cross join ${textRows(['app', 'helm', 'pre'], 'wanted')}
      ${joinInOrder()} release on release.id in (
        select id from release as own
        where own.project_id = project.id and own.type = wanted.value and own.published_at <= ${until}
          and own.fault is null
        order by own.published_at desc, own.id desc limit ${sql.lit(limit)})
    where ${isCategory(category)} ${newest}`
}

const isCategory = (category: string) => equalsWithoutCase(sql`project.category`, sql`${category}`)

async function releasesWithNotes(db: Db, ids: RawBuilder<unknown>, limit: number): Promise<RecentRelease[]> {
  const { rows } = await sql<Listed<RecentRelease>>`
    select project_id as id, project_id as product_id, name, nullif(logo_url, '') as logo_url, category, cncf_status,
      repo_url, version, type, published_at, release_notes, has_security_fix, security_severity
    from release join project on project.id = release.project_id
    where release.id in (${ids})
    order by published_at desc, release.id desc limit ${sql.lit(limit)}`.execute(db)
  return rows.map(toAnswer<RecentRelease>)
}
