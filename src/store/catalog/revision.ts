import { sql } from 'kysely'
import { randomHex } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'

/** Name of the current catalog revision; any change of the catalog creates another. Undefined if the store is read-only. */
export async function getCatalogRevision(db: Db) {
  const known = await findCatalogRevision(db)
  if (known !== undefined) return known
  try {
    // Under the lock no change of the catalog is in progress, which would miss this new name when it ends revisions.
    await write(db, 'catalog', (trx) =>
      sql`insert into catalog_revision values (1, ${randomHex()}) on conflict do nothing`.execute(trx),
    )
  } catch (error) {
    // A read-only, full or locked store still answers.
    if (error instanceof ReltError) return undefined
    throw error
  }
  return findCatalogRevision(db)
}

export async function findCatalogRevision(db: Db) {
  const row = await db.selectFrom('catalog_revision').select('name').executeTakeFirst()
  return row?.name
}
