export interface Page<T> {
  page: number
  per_page: number
  total: number
  total_pages: number
  items: T[]
}

export function pageFrom<T>(items: T[], options: { page: number; perPage: number; total: number }): Page<T> {
  const { page, perPage, total } = options
  return { page, per_page: perPage, total, total_pages: Math.ceil(total / perPage), items }
}
