import { sql } from 'kysely'
import { randomHex } from '../../db/dialect.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/transaction.ts'
import { ReltError } from '../../errors.ts'

/** Names the present state of the catalog; any change of it ends the name. Undefined in a store that cannot be written. */
export async function getCatalogRevision(db: Db): Promise<string | undefined> {
  const known = await findCatalogRevision(db)
  if (known !== undefined) return known
  try {
    // No change of the catalog is open: it would end names that it can see, and not this one.
    await write(db, 'catalog', (trx) =>
      sql`insert into catalog_revision values (1, ${randomHex()}) on conflict do nothing`.execute(trx),
    )
  } catch (error) {
    // A store that is read-only, full or locked still answers.
    if (error instanceof ReltError) return undefined
    throw error
  }
  return findCatalogRevision(db)
}

export async function findCatalogRevision(db: Db): Promise<string | undefined> {
  const row = await db.selectFrom('catalog_revision').select('name').executeTakeFirst()
  return row?.name
}
