import { type Expression, type OperationNode, type RawBuilder, sql } from 'kysely'

type Sql = Expression<unknown>

/**
 * SQL that differs between databases. Queries use the functions below. The compiler of each database inserts its own SQL, so
 * a query does not depend on the database.
 */
export interface Dialect {
  /** Numbers for `in`, passed as one parameter. */
  integers: (values: readonly number[]) => Sql
  /** Texts for `in`, passed as one parameter. */
  texts: (values: readonly string[]) => Sql
  /** Texts as a table to join, with the column `value`. */
  textRows: (values: readonly string[], alias: string) => Sql
  /** Elements of a JSON array as a table to join, with the columns `key` (from 0) and `value`, for `->` and `->>`. */
  jsonRows: (array: string | Sql, alias: string) => Sql
  /** Texts in a JSON array as a table to join, with the columns `key` (from 0) and `value`. */
  jsonTexts: (array: Sql, alias: string) => Sql
  /** A JSON array of some values. */
  jsonArray: (values: Sql) => Sql
  /** A JSON object from alternating names and values. */
  jsonObject: (members: Sql) => Sql
  /** Embeds stored JSON text in a JSON value. */
  jsonValue: (text: Sql) => Sql
  /** Aggregate: JSON array of all values, as text. Without `order`, in the order of the rows. */
  jsonGroup: (value: Sql, order?: Sql) => Sql
  /** Aggregate: JSON object, as text. */
  jsonGroupObject: (name: Sql, value: Sql) => Sql
  /** Converts unix seconds to `YYYY-MM-DD` in UTC. */
  toDay: (seconds: Sql) => Sql
  /** Converts an ISO 8601 date or time in UTC to unix seconds. */
  unixTime: (text: Sql) => Sql
  /** For `order by`: ignores the case of ASCII letters; other characters by code point. */
  withoutCase: (text: Sql) => Sql
  /** Equality that ignores the case of ASCII letters. */
  equalsWithoutCase: (left: Sql, right: Sql) => Sql
  /** `like` that ignores the case of ASCII letters; a backslash escapes. */
  like: (text: Sql, pattern: string) => Sql
  /** Selects projects that contain a phrase of at least three characters in one of their texts. */
  containsPhrase: (phrase: string) => Sql
  /** The lesser of two integers; null if one is null. */
  lesser: (left: Sql, right: Sql) => Sql
  /** The greater of two integers; null if one is null. */
  greater: (left: Sql, right: Sql) => Sql
  /** Position of a part in a text or blob, from 1; 0 if missing. */
  toPosition: (part: unknown, whole: Sql) => Sql
  /**
   * Splits a blob into pieces of `length` bytes, one every `stride` bytes: columns `position` (from 0) and `fingerprint`.
   */
  pieces: (blob: Uint8Array, size: { stride: number; length: number }, alias: string) => Sql
  /** Like `pieces`, without positions; removes duplicates for databases that cannot upsert the same row twice. */
  piecesToMerge: (blob: Uint8Array, size: { stride: number; length: number }, alias: string) => Sql
  /** After a select: locks its rows until the transaction ends. Empty for SQLite, which has a single writer. */
  rowLock: () => Sql
  /** Like `rowLock`, but skips rows that another transaction has locked. */
  rowLockOrSkip: () => Sql
  /** 16 random hexadecimal digits. */
  randomHex: () => Sql
  /** After a table in `from`: makes the planner use this index. */
  byIndex: (name: string) => Sql
  /** A join that looks up its right side for each row of the left side, if the database accepts such a hint. */
  joinInOrder: () => Sql
  /** A column in a condition that must not use an index. */
  withoutIndex: (column: Sql) => Sql
}

/** A query node that becomes SQL when the query is compiled for its database. */
export interface DialectNode extends OperationNode {
  readonly kind: 'RawNode'
  readonly toSql: (dialect: Dialect) => Sql
}

export function isDialectNode(node: OperationNode): node is DialectNode {
  return 'toSql' in node
}

function inDialect<K extends keyof Dialect>(name: K) {
  return <T = unknown>(...given: Parameters<Dialect[K]>): RawBuilder<T> => {
    const node: DialectNode = {
      kind: 'RawNode',
      toSql: (dialect) => (dialect[name] as (...given: unknown[]) => Sql)(...given),
    }
    return sql<T>`${{ toOperationNode: () => node }}`
  }
}

export const integers = inDialect('integers')
export const texts = inDialect('texts')
export const textRows = inDialect('textRows')
export const jsonRows = inDialect('jsonRows')
export const jsonTexts = inDialect('jsonTexts')
export const jsonArray = inDialect('jsonArray')
export const jsonObject = inDialect('jsonObject')
export const jsonValue = inDialect('jsonValue')
export const jsonGroup = inDialect('jsonGroup')
export const jsonGroupObject = inDialect('jsonGroupObject')
export const toDay = inDialect('toDay')
export const unixTime = inDialect('unixTime')
export const withoutCase = inDialect('withoutCase')
export const equalsWithoutCase = inDialect('equalsWithoutCase')
export const like = inDialect('like')
export const containsPhrase = inDialect('containsPhrase')
export const lesser = inDialect('lesser')
export const greater = inDialect('greater')
export const toPosition = inDialect('toPosition')
export const pieces = inDialect('pieces')
export const piecesToMerge = inDialect('piecesToMerge')
export const rowLock = inDialect('rowLock')
export const rowLockOrSkip = inDialect('rowLockOrSkip')
export const randomHex = inDialect('randomHex')
export const byIndex = inDialect('byIndex')
export const joinInOrder = inDialect('joinInOrder')
export const withoutIndex = inDialect('withoutIndex')
