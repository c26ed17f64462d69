import { ReltError } from '../errors.ts'
import type { DatabaseKind } from './kind.ts'

/** SQL statements of a migration, by database. */
export type Migration = Readonly<Record<DatabaseKind, readonly string[]>>

/**
 * Migrations from schema version 1 on, in order, each loaded on demand. A released migration never changes. A new store is
 * created from `schema/` and runs none.
 */
export const migrations: (() => Promise<Migration>)[] = []

/** The schema version that `schema/` declares. */
export const newestSchema = () => 1 + migrations.length

const schemas: Record<DatabaseKind, () => Promise<{ schemaStatements: () => string[] }>> = {
  sqlite: () => import('./sqlite/schema.ts'),
  postgres: () => import('./postgres/schema.ts'),
}

/** Statements that migrate a store from this version to the newest one; 0: an empty database. */
export async function statementsSince(version: number, database: DatabaseKind): Promise<readonly string[]> {
  if (version === 0) return (await schemas[database]()).schemaStatements()
  const due = await Promise.all(migrations.slice(version - 1).map((load) => load()))
  return due.flatMap((migration) => migration[database])
}

/** Error for a store whose schema this relt does not know. */
export const newerStore = (what: string) =>
  new ReltError('store_unusable', `${what} was written by a newer relt.`, { hint: 'Update relt.' })
