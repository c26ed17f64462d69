import type { NewRelease } from '../contract/project.ts'
import type { Db } from '../db/open.ts'
import { securityOf } from '../security/security-of.ts'
import { updateLatest } from '../store/catalog.ts'
import { getProject } from '../store/project.ts'
import {
  deleteRelease,
  findReleases,
  insertRelease,
  listChartNames,
  type StoredRelease,
  updateRelease,
} from '../store/release-change.ts'

export interface Published {
  id: number
  created: boolean
}

/**
 * Adds a release, or updates the one with the same project, type and version (and chart, when one is named). A
 * pre-release that becomes a release under the same version makes place for it: its texts stay where none are given.
 * What it does not say of security is read from its notes.
 * Throws `not_found` for an unknown project.
 */
export function publishRelease(db: Db, release: NewRelease, now: number): Promise<Published> {
  return db.transaction().execute(async (trx) => {
    await getProject(trx, release.product_id)
    const same = await findReleases(trx, release.product_id, release.version)
    const published = await save(trx, withSecurity(release), same, now)
    await updateLatest(trx, [release.product_id])
    return published
  })
}

/** What is told stands; notes that tell of no fix take none back. */
function withSecurity(release: NewRelease): NewRelease {
  const security = securityOf(release)
  if (!security.has_security_fix) return release
  const found = Object.entries(security).filter(([, value]) => value !== null && value !== 'none')
  return { ...Object.fromEntries(found), ...release }
}

async function save(trx: Db, release: NewRelease, same: StoredRelease[], now: number): Promise<Published> {
  const known = same.find((other) => other.type === release.type && isMeant(release, other))
  const pre = release.type === 'app' && same.find((other) => other.type === 'pre' && other.chartName === '')
  if (known) {
    await updateRelease(trx, known.id, release)
    if (pre) await deleteRelease(trx, pre.id)
    return { id: known.id, created: false }
  }
  if (pre) {
    await updateRelease(trx, pre.id, { ...release, published_at: release.published_at ?? now })
    return { id: pre.id, created: true }
  }
  return { id: await insertRelease(trx, release, await chartNameOf(trx, release), now), created: true }
}

/** Without a chart's name, type and version say which release is meant. */
function isMeant({ type, chart_name }: NewRelease, { chartName }: StoredRelease): boolean {
  return type === 'app' || chart_name === undefined || chart_name === chartName
}

/** A chart release that does not name its chart is of the project's only one. */
async function chartNameOf(trx: Db, { product_id, type, chart_name }: NewRelease): Promise<string> {
  if (type === 'app') return ''
  if (chart_name !== undefined || type === 'pre') return chart_name ?? ''
  const names = await listChartNames(trx, product_id)
  return names.length === 1 ? names[0]! : ''
}
