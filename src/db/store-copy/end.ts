import type { TableShape } from './table-shapes.ts'

/** Rows sorted by primary key, as tuples of PostgreSQL's binary COPY format: equal rows are equal bytes. */
export interface Batch {
  rows: number
  tuples: Buffer
}

/** A store that is read as of one moment. */
export interface CopySource {
  countRows(table: TableShape): Promise<number>
  readRows(table: TableShape): AsyncIterable<Batch>
  /** Highest id ever assigned, by table. SQLite records it only for tables that never reuse an id. */
  readLastIds(): Promise<Map<string, bigint>>
  findMeta(key: 'master_key_id' | 'master_key_place'): Promise<string | undefined>
  /** Commits nothing: an unpublished target is removed. */
  close(): Promise<void>
}

/** An empty store with the newest schema. It is invisible until it is published. */
export interface CopyTarget extends CopySource {
  writeRows(table: TableShape, batches: AsyncIterable<Batch>): Promise<void>
  /** Continues ids after the given ones, restores triggers, and checks references. */
  finish(lastIds: ReadonlyMap<string, bigint>): Promise<void>
  publish(): Promise<void>
}
