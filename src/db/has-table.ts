import { sql } from 'kysely'
import { databaseFor } from './kind.ts'
import type { Db } from './open.ts'

/** A store that is read as it is may be older than a table. */
export async function hasTable(db: Db, name: string): Promise<boolean> {
  const found =
    databaseFor(db) === 'postgres'
      ? sql`select 1 where to_regclass(${name}) is not null`
      : sql`select 1 from sqlite_schema where type = 'table' and name = ${name}`
  const { rows } = await found.execute(db)
  return rows.length > 0
}
