import type { CatalogFileRelease } from '../../contract/catalog.ts'
import type { Db } from '../../db/open.ts'
import { remember } from '../../util/remember.ts'

/** All releases by project, newest first: a stable order, so that equal catalogs give equal files. */
export async function listCatalogFileReleases(db: Db) {
  const rows = await db
    .selectFrom('release')
    .selectAll()
    .orderBy('project_id')
    .orderBy('published_at', 'desc')
    .orderBy('type')
    .orderBy('chart_name')
    .orderBy('version')
    .execute()
  const releases = new Map<number, CatalogFileRelease[]>()
  for (const row of rows) {
    remember(releases, row.project_id, () => []).push({
      type: row.type,
      chart_name: row.chart_name,
      version: row.version,
      app_version: row.app_version,
      ...(row.kube_version !== null && { kube_version: row.kube_version }),
      published_at: row.published_at,
      url: row.url,
      release_notes: row.release_notes,
      has_security_fix: row.has_security_fix === 1,
      security_severity: row.security_severity,
      security_summary: row.security_summary,
      cve_list: JSON.parse(row.cve_list ?? '[]'),
      cve_links: JSON.parse(row.cve_links ?? '[]'),
    })
  }
  return releases
}
