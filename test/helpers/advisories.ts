import { join } from 'node:path'
import type { OsvRecord } from '../../src/collectors/osv-advisories/schema.ts'
import { toAdvisories } from '../../src/collectors/osv-advisories/to-advisories.ts'
import { openDatabase } from '../../src/db/open.ts'
import { write } from '../../src/db/transaction.ts'
import { saveAdvisoriesFor } from '../../src/store/catalog/catalog-advisory.ts'
import { listCatalogProjects } from '../../src/store/catalog/own-project.ts'

/** Stores OSV records about packages that are named like projects, as if OSV had sent them. Replaces earlier ones. */
export async function storeAdvisories(home: string, records: OsvRecord[]): Promise<void> {
  const packages = records.flatMap(({ affected }) => affected!.map((part) => part.package!))
  const db = await openDatabase(join(home, 'relt.db'))
  await write(db, 'catalog', async (trx) => {
    for (const { id, slug } of await listCatalogProjects(trx)) {
      const named = packages.filter(({ name }) => name === slug)
      if (named.length === 0) continue
      await saveAdvisoriesFor(trx, id, 'osv', toAdvisories(slug, records, named))
    }
  })
  await db.destroy()
}
