import { type Bundle, builtIn, isNewer } from '../../catalog/bundle.ts'
import type { FiledBundle } from '../../contract/catalog.ts'
import { setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { findCatalogEdition } from '../../store/catalog/edition.ts'
import { findRemovedProjects, forgetRemovedProjects } from '../../store/catalog/project-sync.ts'
import { findBundle, saveBundle } from '../facts/bundle.ts'

/** Stores whose catalog is at least as new as the bundled one. A store's catalog never gets older. */
const current = new WeakSet<Db>()

/** Imports the newest bundle if it is newer than the store's tables. */
export async function ensureCatalog(db: Db, now: number) {
  if (current.has(db)) return
  await getCatalogDate(db, now)
  current.add(db)
}

/** Day of the store's catalog, after importing the newest bundle if that is newer. */
export async function getCatalogDate(db: Db, now: number) {
  const known = await findCatalogEdition(db)
  if (known && !isNewer(builtIn, known)) {
    if (isNewer(known, builtIn)) await findBundle(db)
    return known.date
  }
  const bundle = await findBundle(db)
  try {
    await write(db, 'catalog', (trx) => importBundle(trx, bundle, now))
    return bundle.date
  } catch (error) {
    // A read-only store keeps its older catalog, with its own day.
    if (known !== undefined && error instanceof ReltError && error.code === 'store_read_only') return known.date
    throw error
  }
}

/** Brings the tables to a bundle if it is newer than they are. */
async function importBundle(trx: Db, bundle: Bundle, now: number) {
  const { bundledCatalog } = await import('../../catalog/bundled.ts')
  const { saveBundledCatalog } = await import('../../store/catalog/bundled.ts')
  const { markFaults } = await import('./release-faults.ts')
  const { findFacts } = await import('../facts/state-facts.ts')
  const earlier = await findCatalogEdition(trx)
  if (earlier && !isNewer(bundle, earlier)) return
  const catalog = bundledCatalog(bundle)
  const removed = new Set(await findRemovedProjects(trx))
  const projects = catalog.projects.filter(({ slug }) => !removed.has(slug))
  await saveBundledCatalog(trx, { ...catalog, projects }, now, { isUpgrade: earlier !== undefined })
  await markFaults(trx, await findFacts(trx))
  await setMeta(trx, 'catalog_date', bundle.date)
  await setMeta(trx, 'catalog_edition', String(bundle.edition))
  // Which ranges of an advisory count depends on the day of the bundle.
  await markCollectedFixes(trx)
}

/** Stores a bundle and imports it, if it is newer than the store's. Returns the edition that the store then has. */
export function installBundle(db: Db, bundle: FiledBundle, now: number) {
  return write(db, 'catalog', async (trx) => {
    const known = await findCatalogEdition(trx)
    if (known && !isNewer(bundle, known)) return { isNew: false, ...known }
    await saveBundle(trx, bundle)
    await importBundle(trx, await findBundle(trx), now)
    return { isNew: true, date: bundle.date, edition: bundle.edition }
  })
}

/** Brings back the bundled projects that a list of projects removed. */
export async function restoreProjects(db: Db, now: number) {
  await write(db, 'catalog', forgetRemovedProjects)
  await getCatalogDate(db, now)
}

/** Bundled advisories also apply to releases fetched from sources. */
async function markCollectedFixes(trx: Db) {
  const { listMixedProjects } = await import('../../store/catalog/bundled.ts')
  const mixed = new Set(await listMixedProjects(trx))
  if (mixed.size === 0) return
  const { updateKnownSecurity } = await import('./known-security.ts')
  const { listTrackedProjects } = await import('../../store/catalog/source.ts')
  for (const project of await listTrackedProjects(trx)) {
    if (mixed.has(project.id)) await updateKnownSecurity(trx, project)
  }
}
