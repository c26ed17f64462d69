import type { DialectAdapter, Kysely } from 'kysely'

export type DatabaseKind = 'sqlite' | 'postgres'

/** An adapter that knows its database; transactions share the adapter of the store. */
export interface KnownAdapter extends DialectAdapter {
  readonly database: DatabaseKind
}

export function databaseOf<T>(db: Kysely<T>): DatabaseKind {
  return (db.getExecutor().adapter as KnownAdapter).database
}
