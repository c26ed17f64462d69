import { ReltError } from '../errors.ts'

interface PageOf<T> {
  items: T[]
  /** Null when the server does not say. */
  total_pages: number | null
}

/** A foreign server could send pages without end. */
const maxPages = 20_000
const maxItems = 1_000_000

/** The items of all pages, in their order. Throws `bad_answer` for a list that is longer than any real one. */
export async function allPages<T>(ask: (page: number) => Promise<PageOf<T>>): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; page <= maxPages; page++) {
    const { items, total_pages } = await ask(page)
    for (const item of items) all.push(item)
    if (items.length === 0 || total_pages === null || page >= total_pages) return all
    if (all.length > maxItems) break
  }
  throw new ReltError('bad_answer', 'The server sends a list without an end.')
}
