import type { DialectAdapter, Kysely } from 'kysely'

export type DatabaseKind = 'sqlite' | 'postgres'

/** An adapter that knows its database; transactions share the adapter of the store. */
export interface KnownAdapter extends DialectAdapter {
  readonly database: DatabaseKind
}

/** A database whose transactions need more than `begin`. */
export interface TransactionalAdapter extends KnownAdapter {
  inTransaction<T, R>(db: Kysely<T>, work: (trx: Kysely<T>) => Promise<R>): Promise<R>
}

export function databaseOf<T>(db: Kysely<T>): DatabaseKind {
  return (db.getExecutor().adapter as KnownAdapter).database
}

export function isTransactional(adapter: DialectAdapter): adapter is TransactionalAdapter {
  return 'inTransaction' in adapter
}
