import { type Expression, type OperationNode, type RawBuilder, sql } from 'kysely'

type Sql = Expression<unknown>

/**
 * The pieces of SQL that databases write differently. Queries use the functions below. The compiler of each
 * database fills in its own SQL, so a query does not know which database will run it.
 */
export interface Dialect {
  /** Numbers for `in`, as one parameter. */
  integers: (values: readonly number[]) => Sql
  /** Texts for `in`, as one parameter. */
  texts: (values: readonly string[]) => Sql
  /** Texts to join: a table with the column `value`. */
  textRows: (values: readonly string[], alias: string) => Sql
  /** Elements of a JSON array to join: a table with the columns `key` (from 0) and `value`, for `->` and `->>`. */
  jsonRows: (array: string | Sql, alias: string) => Sql
  /** Texts of a JSON array to join: a table with the columns `key` (from 0) and `value`. */
  jsonTexts: (array: Sql, alias: string) => Sql
  /** A JSON array of some values. */
  jsonArray: (values: Sql) => Sql
  /** A JSON object of names and values, which alternate. */
  jsonObject: (members: Sql) => Sql
  /** A stored JSON text as part of a JSON value. */
  jsonValue: (text: Sql) => Sql
  /** Aggregate: the values of all rows as the text of a JSON array. Without an order the values come as the rows do. */
  jsonGroup: (value: Sql, order?: Sql) => Sql
  /** Aggregate: the text of a JSON object. */
  jsonGroupObject: (name: Sql, value: Sql) => Sql
  /** `YYYY-MM-DD` in UTC of unix seconds. */
  toDay: (seconds: Sql) => Sql
  /** Unix seconds of a date or a time in UTC, as ISO 8601 writes it. */
  unixTime: (text: Sql) => Sql
  /** For `order by`: ASCII letters regardless of case, other characters by code point. */
  withoutCase: (text: Sql) => Sql
  /** Equal but for the case of ASCII letters. */
  equalsWithoutCase: (left: Sql, right: Sql) => Sql
  /** `like` regardless of the case of ASCII letters; a backslash escapes. */
  like: (text: Sql, pattern: string) => Sql
  /** Projects with a text of at least three characters in one of their texts. */
  containsPhrase: (phrase: string) => Sql
  /** The lesser of two integers; null if one is null. */
  lesser: (left: Sql, right: Sql) => Sql
  /** The greater of two integers; null if one is null. */
  greater: (left: Sql, right: Sql) => Sql
  /** Position of a part in a text or a blob, from 1; 0: it is not there. */
  toPosition: (part: unknown, whole: Sql) => Sql
  /** Cuts a blob into pieces of `length` bytes that begin every `stride` bytes: `position` (from 0) and `fingerprint`. */
  pieces: (blob: Uint8Array, size: { stride: number; length: number }, alias: string) => Sql
  /** The same without positions; a database that could not merge equal pieces leaves out duplicates. */
  piecesToMerge: (blob: Uint8Array, size: { stride: number; length: number }, alias: string) => Sql
  /** After a select: locks its rows until the transaction ends. SQLite has one writer. */
  rowLock: () => Sql
  /** The same, without rows that another transaction has locked. */
  rowLockOrSkip: () => Sql
  /** 16 random hexadecimal digits. */
  randomHex: () => Sql
  /** After a table in `from`: the planner uses this index. */
  byIndex: (name: string) => Sql
  /** A join that looks up its right side for each row of the left side, on databases whose planner takes such a hint. */
  joinInOrder: () => Sql
  /** A column in a condition for which no index is used. */
  withoutIndex: (column: Sql) => Sql
}

/** A node of a query that becomes SQL when the query is compiled for its database. */
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
