import { type SelectQueryBuilder, sql } from 'kysely'
import type { Page, PageChoice } from '../util/page.ts'

export async function countRows<D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>) {
  const counted = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'))
  const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number }
  return total
}

export async function hasRows<D, T extends keyof D, O>(query: SelectQueryBuilder<D, T, O>) {
  return (await query.select(sql`1`.as('found')).limit(1).execute()).length > 0
}

/** Counts rows only if the page does not already determine the total. */
export async function selectPage<D, T extends keyof D, O, I>(
  query: SelectQueryBuilder<D, T, O>,
  { page, perPage }: PageChoice,
  toItem: (row: O) => I,
  count: () => Promise<number> = () => countRows(query),
): Promise<Page<I>> {
  const rows = await query
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const isLast = rows.length < perPage && (rows.length > 0 || page === 1)
  const total = isLast ? (page - 1) * perPage + rows.length : await count()
  return { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage), items: rows.map(toItem) }
}
