import type { DatabaseKind } from './kind.ts'

/** The statements of a migration, by database. */
export type Migration = Readonly<Record<DatabaseKind, readonly string[]>>

/**
 * From the schema of version 1, in order; each loads when it is due. A migration that has been released never changes. A new
 * store is made from `schema/` and runs none.
 */
export const migrations: (() => Promise<Migration>)[] = []

/** The version of the schema that `schema/` declares. */
export const newestSchema = (): number => 1 + migrations.length

const schemas: Record<DatabaseKind, () => Promise<{ schemaStatements: () => string[] }>> = {
  sqlite: () => import('./sqlite/schema.ts'),
  postgres: () => import('./postgres/schema.ts'),
}

/** The statements that bring a store of this version to the newest one; 0: an empty database. */
export async function statementsSince(version: number, database: DatabaseKind): Promise<readonly string[]> {
  if (version === 0) return (await schemas[database]()).schemaStatements()
  const due = await Promise.all(migrations.slice(version - 1).map((load) => load()))
  return due.flatMap((migration) => migration[database])
}
