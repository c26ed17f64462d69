import type { Db } from '../../db/open.ts'

/** Date and edition of the last imported bundled catalog; undefined without one. */
export async function findCatalogEdition(db: Db) {
  const rows = await db
    .selectFrom('meta')
    .selectAll()
    .where('key', 'in', ['catalog_date', 'catalog_edition'])
    .orderBy('key')
    .execute()
  const [date, edition] = rows
  return date?.key === 'catalog_date' ? { date: date.value, edition: Number(edition?.value ?? 1) } : undefined
}
