import { bundledCatalogDate, bundledCatalogEdition } from '../../catalog/date.ts'
import { setMeta } from '../../db/meta.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'
import { findCatalogEdition } from '../../store/catalog/edition.ts'
import { findRemovedProjects, forgetRemovedProjects } from '../../store/catalog/project-sync.ts'

/** Stores whose catalog is at least as new as the bundled one. A store's catalog never gets older. */
const current = new WeakSet<Db>()

/** Imports the bundled catalog if it is newer than the store's. */
export async function ensureCatalog(db: Db, now: number) {
  if (current.has(db)) return
  await getCatalogDate(db, now)
  current.add(db)
}

/** Day of the store's catalog, after importing the bundled one if that is newer. */
export async function getCatalogDate(db: Db, now: number) {
  const known = await findCatalogEdition(db)
  if (known && isCurrent(known)) return known.date
  const { bundledCatalog } = await import('../../catalog/bundled.ts')
  const { saveBundledCatalog } = await import('../../store/catalog/bundled.ts')
  const { markFaults } = await import('./release-faults.ts')
  const { findFacts } = await import('../facts/state-facts.ts')
  const catalog = bundledCatalog()
  try {
    await write(db, 'catalog', async (trx) => {
      const earlier = await findCatalogEdition(trx)
      if (isCurrent(earlier)) return
      const removed = new Set(await findRemovedProjects(trx))
      const projects = catalog.projects.filter(({ slug }) => !removed.has(slug))
      await saveBundledCatalog(trx, { ...catalog, projects }, now, { isUpgrade: earlier !== undefined })
      await markFaults(trx, await findFacts(trx))
      await markCollectedFixes(trx)
      await setMeta(trx, 'catalog_date', bundledCatalogDate)
      await setMeta(trx, 'catalog_edition', String(bundledCatalogEdition))
    })
    return bundledCatalogDate
  } catch (error) {
    // A read-only store keeps its older catalog, with its own day.
    if (known !== undefined && error instanceof ReltError && error.code === 'store_read_only') return known.date
    throw error
  }
}

/** Brings back the bundled projects that a list of projects removed. */
export async function restoreProjects(db: Db, now: number) {
  await write(db, 'catalog', forgetRemovedProjects)
  await getCatalogDate(db, now)
}

function isCurrent(known: Awaited<ReturnType<typeof findCatalogEdition>>) {
  if (!known || known.date < bundledCatalogDate) return false
  return known.date > bundledCatalogDate || known.edition >= bundledCatalogEdition
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
