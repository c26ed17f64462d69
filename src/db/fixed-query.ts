import { CompiledQuery, type Kysely } from 'kysely'
import { databaseOf } from './kind.ts'

/**
 * A query that is written once as text, with `?` for its parameters: for queries of every request, because building a
 * query takes longer than running it. The text must not contain other question marks.
 */
export function fixedQuery<Row>(text: string) {
  let number = 0
  const numbered = text.replace(/\?/g, () => `$${++number}`)
  return async <T>(db: Kysely<T>, parameters: unknown[]): Promise<Row[]> => {
    const query = CompiledQuery.raw(databaseOf(db) === 'postgres' ? numbered : text, parameters)
    return (await db.executeQuery<Row>(query)).rows
  }
}
