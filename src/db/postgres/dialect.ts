import { sql } from 'kysely'
import type { Dialect } from '../dialect.ts'

/** The same expression as in the index `project_search`. */
const searched = sql`(project.name || chr(1) || project.slug || chr(1) || project.description || chr(1)
  || project.category || chr(1) || project.repo_url)`

export const postgresDialect: Dialect = {
  integers: (values) => sql`(select unnest(cast(${values} as bigint[])))`,
  texts: (values) => sql`(select unnest(cast(${values} as text[])) collate "C")`,
  textRows: (values, alias) =>
    sql`(select value collate "C" as value from unnest(cast(${values} as text[])) as given(value)) as ${sql.ref(alias)}`,
  jsonRows: (array, alias) => sql`lateral (select element.value, element.number - 1 as key
    from json_array_elements(cast(${array} as json)) with ordinality as element(value, number)) as ${sql.ref(alias)}`,
  jsonTexts: (array, alias) => sql`lateral (select element.value collate "C" as value, element.number - 1 as key
    from json_array_elements_text(cast(${array} as json)) with ordinality as element(value, number))
    as ${sql.ref(alias)}`,
  jsonArray: (values) => sql`json_build_array(${values})`,
  jsonObject: (members) => sql`json_build_object(${members})`,
  jsonValue: (text) => sql`cast(${text} as json)`,
  jsonGroup: (value, order) =>
    order
      ? sql`coalesce(cast(json_agg(${value} order by ${order}) as text), '[]')`
      : sql`coalesce(cast(json_agg(${value}) as text), '[]')`,
  jsonGroupObject: (name, value) => sql`coalesce(cast(json_object_agg(${name}, ${value}) as text), '{}')`,
  toDay: (seconds) => sql`to_char(to_timestamp(${seconds}) at time zone 'UTC', 'YYYY-MM-DD')`,
  unixTime: (text) => sql`cast(extract(epoch from cast(${text} as timestamp)) as bigint)`,
  // Does not change the case of non-ASCII characters, like SQLite.
  withoutCase: (text) => sql`lower(${text} collate "C")`,
  equalsWithoutCase: (left, right) =>
    sql`lower(cast(${left} as text) collate "C") = lower(cast(${right} as text) collate "C")`,
  like: (text, pattern) => sql`${text} ilike ${pattern} escape '\\'`,
  containsPhrase: (phrase) => {
    const pattern = `%${phrase.replace(/[\\%_]/g, '\\$&')}%`
    // The trigram index ignores case for ASCII only.
    return /[\u0080-\uffff]/.test(phrase)
      ? sql`lower(${searched} collate "und-x-icu") like lower(cast(${pattern} as text) collate "und-x-icu") escape '\\'`
      : sql`${searched} ilike ${pattern} escape '\\'`
  },
  lesser: (left, right) => sql`case when ${left} < ${right} then ${left} when ${left} >= ${right} then ${right} end`,
  greater: (left, right) => sql`case when ${left} > ${right} then ${left} when ${left} <= ${right} then ${right} end`,
  toPosition: (part, whole) => sql`position(${part} in ${whole})`,
  pieces: (blob, { stride, length }, alias) => sql`(select start / ${sql.lit(stride)} as position,
      substr(whole, start + 1, ${sql.lit(length)}) as fingerprint
    from (select cast(${blob} as bytea) as whole) as given, generate_series(0, length(whole) - 1, ${sql.lit(stride)}) as start)
    as ${sql.ref(alias)}`,
  // One statement must not update a row twice.
  piecesToMerge: (blob, { stride, length }, alias) => sql`(select distinct
      substr(whole, start + 1, ${sql.lit(length)}) as fingerprint
    from (select cast(${blob} as bytea) as whole) as given, generate_series(0, length(whole) - 1, ${sql.lit(stride)}) as start)
    as ${sql.ref(alias)}`,
  // Unlike `for update`, does not block inserts that reference the rows.
  rowLock: () => sql`for no key update`,
  rowLockOrSkip: () => sql`for no key update skip locked`,
  randomHex: () => sql`substr(md5(cast(gen_random_uuid() as text)), 1, 16)`,
  byIndex: () => sql``,
  joinInOrder: () => sql`join`,
  withoutIndex: (column) => sql`${column}`,
}
