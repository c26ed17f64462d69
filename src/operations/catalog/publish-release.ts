import type { NewRelease } from '../../contract/project.ts'
import type { Db } from '../../db/open.ts'
import { toSecurity } from '../../security/security-of.ts'
import { updateLatest } from '../../store/catalog/bundled.ts'
import type { ReleaseNews } from '../../store/catalog/collected-release.ts'
import { getProject } from '../../store/catalog/project.ts'
import {
  deleteRelease,
  findReleases,
  insertRelease,
  listChartNames,
  type StoredRelease,
  updateRelease,
} from '../../store/catalog/release-change.ts'
import { recordReleaseNews } from './record-events.ts'

export interface PublishResult {
  id: number
  created: boolean
}

/**
 * Call inside a transaction: adds a release, or updates the one with the same project, type, version and chart (if named). A
 * release replaces its pre-release and takes over its texts if it has none. Omitted security fields are parsed from the
 * notes. News is recorded in the event log. Throws `not_found` for an unknown project.
 */
export async function publishRelease(trx: Db, release: NewRelease, now: number): Promise<PublishResult> {
  const { product_id: projectId, version } = release
  await getProject(trx, projectId)
  const same = await findReleases(trx, projectId, version)
  const { kind, ...published } = await save(trx, withSecurity(release), same, now)
  await updateLatest(trx, [projectId])
  const { type, published_at: publishedAt = now } = release
  await recordReleaseNews(trx, { projectId, news: kind ? [{ kind, type, version, publishedAt }] : [], now })
  return published
}

/** Given fields override those from the notes; notes without a fix do not clear one. */
function withSecurity(release: NewRelease): NewRelease {
  const security = toSecurity(release)
  if (!security.has_security_fix) return release
  const found = Object.entries(security).filter(([, value]) => value !== null && value !== 'none')
  return { ...Object.fromEntries(found), ...release }
}

async function save(
  trx: Db,
  release: NewRelease,
  same: StoredRelease[],
  now: number,
): Promise<PublishResult & { kind?: ReleaseNews['kind'] | undefined }> {
  const known = same.find((other) => other.type === release.type && isMeant(release, other))
  const pre = release.type === 'app' && same.find((other) => other.type === 'pre' && other.chartName === '')
  if (known) {
    await updateRelease(trx, known.id, release)
    if (pre) await deleteRelease(trx, pre.id)
    const isFixNow = release.has_security_fix === true && !known.hasSecurityFix
    return { id: known.id, created: false, kind: pre ? 'promotion' : isFixNow ? 'security' : undefined }
  }
  if (pre) {
    await updateRelease(trx, pre.id, { ...release, published_at: release.published_at ?? now })
    return { id: pre.id, created: true, kind: 'promotion' }
  }
  const id = await insertRelease(trx, release, await chartNameFor(trx, release), now)
  return { id, created: true, kind: 'release' }
}

/** Without a chart name, type and version identify the release. */
function isMeant({ type, chart_name }: NewRelease, { chartName }: StoredRelease) {
  return type === 'app' || chart_name === undefined || chart_name === chartName
}

/** A chart release without a chart name belongs to the project's only chart. */
async function chartNameFor(trx: Db, { product_id, type, chart_name }: NewRelease) {
  if (type === 'app') return ''
  if (chart_name !== undefined || type === 'pre') return chart_name ?? ''
  const names = await listChartNames(trx, product_id)
  return names.length === 1 ? names[0]! : ''
}
