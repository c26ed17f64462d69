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
