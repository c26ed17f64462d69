import { ReltError } from '../errors.ts'

/** A foreign server could return endless pages. */
const maxPages = 20_000
const maxItems = 1_000_000

/**
 * The items of all pages, in order. `total_pages` is null if the server does not return it. With `toId`, stops at a page without a new item, because a server may repeat itself.
 * Throws `bad_answer` for a list longer than any real one.
 */
export async function allPages<T>(
  ask: (page: number) => Promise<{ items: T[]; total_pages: number | null }>,
  { toId, most = maxItems }: { toId?: (item: T) => string; most?: number } = {},
) {
  const all: T[] = []
  const seen = new Set<string>()
  for (let page = 1; page <= maxPages; page++) {
    const { items, total_pages } = await ask(page)
    const known = seen.size
    if (toId) for (const item of items) seen.add(toId(item))
    if (toId && seen.size === known) return all
    for (const item of items) all.push(item)
    if (items.length === 0 || total_pages === null || page >= total_pages) return all
    if (all.length > most) break
  }
  throw new ReltError('bad_answer', 'The server sends a list without an end.')
}
