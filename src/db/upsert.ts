import type { Insertable } from 'kysely'
import type { Db } from './open.ts'
import type { Tables } from './schema/index.ts'

/** Inserts a row, or sets the values of the one with this key. */
export async function upsert<T extends keyof Tables, K extends keyof Insertable<Tables[T]>>(
  db: Db,
  table: T,
  key: Pick<Insertable<Tables[T]>, K>,
  values: Omit<Insertable<Tables[T]>, K>,
) {
  await db
    .insertInto(table)
    .values({ ...key, ...values } as never)
    .onConflict((conflict) => conflict.columns(Object.keys(key) as never).doUpdateSet(values as never))
    .execute()
}
