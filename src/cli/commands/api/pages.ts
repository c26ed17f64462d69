import type { Client, RawRequest } from '../../../client/client.ts'
import { ReltError } from '../../../errors.ts'
import { isObject } from '../../../util/json.ts'

/** No list of ours has more; a server that never ends is left. */
const maxPages = 10_000

/** The first page, with the items of all of them. */
export async function readAllPages(client: Client, request: RawRequest): Promise<unknown> {
  const first = await client.request(request)
  if (!isObject(first) || !Array.isArray(first.items) || typeof first.total_pages !== 'number') {
    throw new ReltError('usage', 'The response has no pages.', { hint: 'Remove --paginate.' })
  }
  const items = [...first.items]
  const start = typeof first.page === 'number' ? first.page : 1
  for (let page = start + 1; page <= Math.min(first.total_pages, maxPages); page++) {
    const next = await client.request({ ...request, query: { ...request.query, page: String(page) } })
    if (!isObject(next) || !Array.isArray(next.items) || next.items.length === 0) break
    items.push(...next.items)
  }
  return { ...first, items }
}
