import { type Compilable, CompiledQuery, type Kysely } from 'kysely'
import { remember } from '../util/remember.ts'
import { type DatabaseKind, databaseFor } from './kind.ts'
import type { Db } from './open.ts'

/**
 * A query as fixed SQL text, with `?` for its parameters: for queries of every request, because building a query takes
 * longer than running it. The text must not contain other question marks.
 */
export function fixedQuery<Row>(text: string) {
  let number = 0
  const numbered = text.replace(/\?/g, () => `$${++number}`)
  return async <T>(db: Kysely<T>, parameters: unknown[]): Promise<Row[]> => {
    const query = CompiledQuery.raw(databaseFor(db) === 'postgres' ? numbered : text, parameters)
    return (await db.executeQuery<Row>(query)).rows
  }
}

/**
 * A query built once, at first use, with placeholders for its parameters, for the same reason. `build` must pass each
 * parameter on unchanged and not inspect it.
 */
export function builtOnce<Parameters extends object, Row>(
  build: (db: Db, parameters: Parameters) => Compilable<Row>,
): (db: Db, parameters: Parameters) => Promise<Row[]> {
  const built = new Map<DatabaseKind, CompiledQuery<Row>>()
  return async (db, parameters) => {
    const query = remember(built, databaseFor(db), () => build(db, names as Parameters).compile())
    const values = query.parameters.map((each) => (each instanceof Name ? parameters[each.key as never] : each))
    return (await db.executeQuery<Row>({ ...query, parameters: values })).rows
  }
}

class Name {
  readonly key: PropertyKey
  constructor(key: PropertyKey) {
    this.key = key
  }
}

const names: object = new Proxy({}, { get: (_, key) => new Name(key) })
