import type { DialectAdapter, Kysely } from 'kysely'
import type { Lock } from './lock.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

/** An adapter that knows its kind of database; transactions share the store's adapter. */
export interface KnownAdapter extends DialectAdapter {
  readonly database: DatabaseKind
}

/** An adapter whose transactions need more than `begin`. */
export interface TransactionalAdapter extends KnownAdapter {
  write<T, R>(db: Kysely<T>, lock: Lock, work: (trx: Kysely<T>) => Promise<R>): Promise<R>
  takeLocks<T>(trx: Kysely<T>, locks: Lock[], options: { shared: boolean }): Promise<void>
}

export function databaseFor<T>(db: Kysely<T>) {
  return (db.getExecutor().adapter as KnownAdapter).database
}

/** Whether several servers may use the store; a SQLite file has only one server. */
export function isShared<T>(db: Kysely<T>) {
  return databaseFor(db) === 'postgres'
}

export function isTransactional(adapter: DialectAdapter): adapter is TransactionalAdapter {
  return 'takeLocks' in adapter
}
