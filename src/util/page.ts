export interface Page<T> {
  page: number
  per_page: number
  total: number
  total_pages: number
  items: T[]
}

export interface PageChoice {
  page: number
  perPage: number
}

/** Counts rows only if the page does not already determine the total. */
export async function toPage<T>(
  items: T[],
  { page, perPage }: PageChoice,
  count: () => Promise<{ total: number }>,
): Promise<Page<T>> {
  const isLast = items.length < perPage && (items.length > 0 || page === 1)
  const total = isLast ? (page - 1) * perPage + items.length : (await count()).total
  return { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage), items }
}
