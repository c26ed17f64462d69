import { bundledCatalogDate } from '../catalog/date.ts'
import type { Db } from '../db/open.ts'
import { inTransaction } from '../db/transaction.ts'
import { ReltError } from '../errors.ts'
import { saveBundledCatalog } from '../store/catalog.ts'
import { findMeta, setMeta } from '../store/meta.ts'

/** Stores whose catalog has been seen to be no older than the bundled one; none gets older again. */
const current = new WeakSet<Db>()

/** Takes the bundled catalog over when it is newer than the one in the store. */
export async function ensureCatalog(db: Db, now: number): Promise<void> {
  if (current.has(db)) return
  await getCatalogDate(db, now)
  current.add(db)
}

/** Day of the catalog in the store, which takes the bundled one over first when that is newer. */
export async function getCatalogDate(db: Db, now: number): Promise<string> {
  const date = await findMeta(db, 'catalog_date')
  if (date !== undefined && date >= bundledCatalogDate) return date
  const { bundledProjects } = await import('../catalog/bundled.ts')
  const projects = bundledProjects()
  try {
    await inTransaction(db, async (trx) => {
      const raced = await findMeta(trx, 'catalog_date')
      if (raced !== undefined && raced >= bundledCatalogDate) return
      await saveBundledCatalog(trx, projects, now)
      await setMeta(trx, 'catalog_date', bundledCatalogDate)
    })
    return bundledCatalogDate
  } catch (error) {
    // The older catalog of a read-only store still answers, with its own day.
    if (date !== undefined && error instanceof ReltError && error.code === 'store_read_only') return date
    throw error
  }
}
