import { sql } from 'kysely'
import type { FoundRelease } from '../../catalog/found-release.ts'
import { jsonTexts, texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import type { NamedRelease } from '../../security/known-security.ts'
import { type SaveResult, type SecurityColumns, toSecurity } from './collected-release.ts'

/**
 * Saves security facts of a project's releases, writing only differences. Releases that were added or edited by a user do
 * not change.
 */
export async function addSecurity(
  trx: Db,
  projectId: number,
  tell: (release: NamedRelease) => FoundRelease['security'] | undefined,
) {
  const rows = await trx
    .selectFrom('release')
    .select(['id', 'type', 'version', 'chart_name', 'published_at'])
    .select(['has_security_fix', 'security_severity', 'security_summary', 'cve_list', 'cve_links'])
    .where('project_id', '=', projectId)
    .where('origin', '!=', 'user')
    .execute()
  const saved: SaveResult = { added: 0, updated: 0, news: [] }
  for (const row of rows) {
    const ids = row.has_security_fix === 1 ? JSON.parse(row.cve_list ?? '[]') : []
    const security = tell({ version: row.version, chartName: row.chart_name, ids })
    if (!security) continue
    const wanted = toSecurity(row, security)
    if (Object.entries(wanted).every(([name, value]) => row[name as keyof SecurityColumns] === value)) continue
    await trx.updateTable('release').set(wanted).where('id', '=', row.id).execute()
    saved.updated++
    if (row.has_security_fix === 0) {
      saved.news.push({ kind: 'security', type: row.type, version: row.version, publishedAt: row.published_at })
    }
  }
  return saved
}

/** Ids of projects whose collected releases mention one of the advisories. */
export async function findProjectsNaming(db: Db, advisoryIds: string[]) {
  const rows = await db
    .selectFrom('release')
    .select('project_id')
    .distinct()
    .where('has_security_fix', '=', 1)
    .where('origin', '!=', 'user')
    .where(
      sql<boolean>`exists (select 1 from ${jsonTexts(sql`cve_list`, 'named')}
        where named.value in ${texts(advisoryIds)})`,
    )
    .execute()
  return rows.map((row) => row.project_id)
}

/** All advisory ids that a project's releases mention. */
export async function listAdvisoriesNamed(db: Db, projectId: number) {
  const { rows } = await sql<{ id: string }>`
    select distinct named.value as id from release cross join ${jsonTexts(sql`cve_list`, 'named')}
    where project_id = ${projectId} and origin != 'user'`.execute(db)
  return rows.map(({ id }) => id)
}
