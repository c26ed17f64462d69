import { sql } from 'kysely'
import { integers } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { UnixSeconds } from '../../util/time.ts'

export interface Span {
  from: UnixSeconds
  to: UnixSeconds
}

/** Releases of some projects by publication day, oldest first. */
export async function listPublished(db: Db, projectIds: readonly number[], { from, to }: Span) {
  const rows = await db
    .selectFrom('release')
    .select(['project_id as projectId', 'version', 'type as releaseType', 'chart_name as chartName'])
    .select(['published_at as publishedAt', 'has_security_fix', 'security_severity'])
    .where(sql<boolean>`project_id in ${integers(projectIds)}`)
    .where('published_at', '>', from)
    .where('published_at', '<=', to)
    .where('fault', 'is', null)
    .orderBy('published_at')
    .orderBy('id')
    .execute()
  return rows.map(({ has_security_fix, security_severity: severity, ...row }) => {
    const isSecurityFix = has_security_fix === 1
    return { ...row, isSecurityFix, severity: isSecurityFix && severity !== 'none' ? severity : null }
  })
}

/** Runs of some owners by scan time, newest first. */
export async function listScans(db: Db, ownerIds: Iterable<number>, { from, to, limit }: Span & { limit: number }) {
  const rows = await db
    .selectFrom('run')
    .innerJoin('cluster', 'cluster.id', 'run.cluster_id')
    .select(['run.run_id as runId', 'run.at', 'cluster.owner_id as ownerId', 'cluster.id as clusterId'])
    .select(['cluster.name', 'cluster.environment', 'cluster.labels'])
    .where(sql<boolean>`cluster.owner_id in ${integers([...ownerIds])}`)
    .where('run.at', '>', from)
    .where('run.at', '<=', to)
    .orderBy('run.at', 'desc')
    .orderBy('run.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ name, environment, labels, ...run }) => ({
    ...run,
    cluster: { name, environment, labels: JSON.parse(labels) as string[] },
  }))
}

/** Time of the oldest event that has not expired. */
export async function findFirstEvent(db: Db): Promise<UnixSeconds | null> {
  const { at } = await db
    .selectFrom('event_log')
    .select((eb) => eb.fn.min<number | null>('at').as('at'))
    .executeTakeFirstOrThrow()
  return at
}
