import { sql } from 'kysely'
import type { NewRelease, ReleaseType } from '../../contract/project.ts'
import { texts } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { countRows, selectPage } from '../../db/page.ts'
import type { PageChoice } from '../../util/page.ts'

/** Origin of releases added or edited by a user; a newer bundled catalog does not overwrite them. */
const origin = 'user'

export interface StoredRelease {
  id: number
  type: ReleaseType
  chartName: string
  hasSecurityFix: boolean
}

/** Releases of a project with this version, of any type and chart, oldest row first. */
export async function findReleases(db: Db, projectId: number, version: string): Promise<StoredRelease[]> {
  const rows = await db
    .selectFrom('release')
    .select(['id', 'type', 'chart_name as chartName', 'has_security_fix'])
    .where('project_id', '=', projectId)
    .where('type', 'in', ['app', 'helm', 'pre'])
    .where('version', '=', version)
    .orderBy('id')
    .execute()
  return rows.map(({ has_security_fix, ...row }) => ({ ...row, hasSecurityFix: has_security_fix === 1 }))
}

/** Facts that decide who is notified of a release. A null severity is a fix of unknown severity. */
export async function findReleaseFacts(db: Db, projectId: number, versions: string[]) {
  const rows = await db
    .selectFrom('release')
    .select(['version', 'type', 'chart_name as chartName', 'has_security_fix', 'security_severity', 'fault'])
    .where('project_id', '=', projectId)
    .where(sql<boolean>`version in ${texts(versions)}`)
    .orderBy('id')
    .execute()
  return rows.map(({ has_security_fix, security_severity: severity, fault, ...row }) => ({
    ...row,
    isSecurityFix: has_security_fix === 1,
    isFaulty: fault !== null,
    severity: severity === 'none' ? null : severity,
  }))
}

export async function listChartNames(db: Db, projectId: number) {
  const rows = await db.selectFrom('project_chart').select('name').where('project_id', '=', projectId).execute()
  return rows.map((row) => row.name)
}

/** Returns the id of the release. */
export async function insertRelease(trx: Db, release: NewRelease, chartName: string, now: number) {
  const { id } = await trx
    .insertInto('release')
    .values({
      project_id: release.product_id,
      type: release.type,
      chart_name: chartName,
      version: release.version,
      published_at: release.published_at ?? now,
      created_at: now,
      url: release.url ?? '',
      release_notes: release.release_notes ?? '',
      has_security_fix: release.has_security_fix ? 1 : 0,
      security_severity: release.security_severity ?? 'none',
      security_summary: release.security_summary ?? null,
      cve_list: toJson(release.cve_list) ?? null,
      cve_links: toJson(release.cve_links) ?? null,
      origin,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Changes only the given fields; null clears. */
export async function updateRelease(trx: Db, id: number, release: NewRelease) {
  const { type, url, release_notes, published_at, has_security_fix, security_severity, security_summary } = release
  await trx
    .updateTable('release')
    .set({
      type,
      url,
      release_notes,
      published_at,
      has_security_fix: has_security_fix === undefined ? undefined : Number(has_security_fix),
      security_severity,
      security_summary,
      cve_list: toJson(release.cve_list),
      cve_links: toJson(release.cve_links),
      origin,
    })
    .where('id', '=', id)
    .execute()
}

export async function deleteRelease(trx: Db, id: number) {
  await trx.deleteFrom('release').where('id', '=', id).execute()
}

/** Sorted by project, type and time, newest first. A version shared by several charts is listed once. */
export async function listExistingReleases(
  db: Db,
  { projectId, ...choice }: PageChoice & { projectId: number | undefined },
) {
  const known = db
    .selectFrom('release')
    .select(['project_id as product_id', 'version', 'type'])
    .$if(projectId !== undefined, (query) => query.where('project_id', '=', projectId!))
    .groupBy(['project_id', 'type', 'version'])
  const ordered = known
    .orderBy('project_id')
    .orderBy('type')
    .orderBy((eb) => eb.fn.max('published_at'), 'desc')
    .orderBy('version')
  return selectPage(
    ordered,
    choice,
    (release) => release,
    () => countRows(db.selectFrom(known.as('known'))),
  )
}

function toJson(list: string[] | null | undefined) {
  return list ? JSON.stringify(list) : list
}
