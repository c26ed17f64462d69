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

export function slicePage<T>(all: readonly T[], { page, perPage }: PageChoice): Page<T> {
  const items = all.slice((page - 1) * perPage, page * perPage)
  return { page, per_page: perPage, total: all.length, total_pages: Math.ceil(all.length / perPage), items }
}
