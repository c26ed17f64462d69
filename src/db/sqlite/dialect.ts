import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

export const sqliteDialect: Dialect = {
  integers: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
  texts: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
  textRows: (values, alias) => sql`json_each(${JSON.stringify(values)}) as ${sql.ref(alias)}`,
  jsonRows: (array, alias) => sql`json_each(${array}) as ${sql.ref(alias)}`,
  jsonTexts: (array, alias) => sql`json_each(${array}) as ${sql.ref(alias)}`,
  jsonArray: (values) => sql`json_array(${values})`,
  jsonObject: (members) => sql`json_object(${members})`,
  jsonValue: (text) => sql`json(${text})`,
  jsonGroup: (value, order) =>
    order ? sql`json_group_array(${value} order by ${order})` : sql`json_group_array(${value})`,
  jsonGroupObject: (name, value) => sql`json_group_object(${name}, ${value})`,
  toDay: (seconds) => sql`date(${seconds}, 'unixepoch')`,
  unixTime: (text) => sql`unixepoch(${text})`,
  withoutCase: (text) => sql`${text} collate nocase`,
  equalsWithoutCase: (left, right) => sql`${left} = ${right} collate nocase`,
  like: (text, pattern) => sql`${text} like ${pattern} escape '\\'`,
  containsPhrase: (phrase) =>
    sql`id in (select rowid from project_search where project_search match ${`"${phrase.replaceAll('"', '""')}"`})`,
  lesser: (left, right) => sql`min(${left}, ${right})`,
  greater: (left, right) => sql`max(${left}, ${right})`,
  toPosition: (part, whole) => sql`instr(${whole}, ${part})`,
  pieces,
  piecesToMerge: pieces,
  rowLock: () => sql``,
  rowLockOrSkip: () => sql``,
  randomHex: () => sql`lower(hex(randomblob(8)))`,
  byIndex: (name) => sql`indexed by ${sql.ref(name)}`,
  joinInOrder: () => sql`cross join`,
  withoutIndex: (column) => sql`+${column}`,
}

/** Passes 200,000 pieces as a single parameter. */
function pieces(blob: Uint8Array, { stride, length }: { stride: number; length: number }, alias: string) {
  return sql`(with recursive place(start) as (
      select 1 where length(${blob}) > 0
      union all select start + ${stride} from place where start + ${stride} <= length(${blob}))
    select (start - 1) / ${stride} as position, substr(${blob}, start, ${length}) as fingerprint from place)
    as ${sql.ref(alias)}`
}
