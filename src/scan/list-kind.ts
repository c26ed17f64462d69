import { getRaw, type Kubectl } from './kubectl.ts'
import { createListStream } from './list-stream.ts'

/** A list on the API server. */
export interface ListAddress {
  /** `/api/v1/pods`, `/apis/apps/v1/deployments`. */
  path: string
  /** Additional query parameters. */
  query?: Record<string, string>
  /** Objects per page: fewer if each is large. */
  pageSize: number
}

/** More pages than any cluster has: stops at a server that repeats its answers. */
const maxPages = 10_000
const maxRestarts = 2

/**
 * Reads a list page by page. `begin` returns a function that takes the objects; it is called again if the list must be read
 * from its start, because the API server drops a list after some minutes (410). Returns why the list could not be read
 * completely: a part must not look like the whole. Throws `cancelled` and `invalid_json`.
 */
export async function listKind(kubectl: Kubectl, address: ListAddress, begin: () => (item: unknown) => void) {
  for (let restarts = 0; ; restarts++) {
    const why = await readPages(kubectl, address, begin())
    if (why === undefined || !isExpired(why) || restarts === maxRestarts) return why
  }
}

async function readPages(kubectl: Kubectl, { path, query, pageSize }: ListAddress, take: (item: unknown) => void) {
  let token: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const list = createListStream(`The list ${path}`, take)
    const search = new URLSearchParams({
      ...query,
      limit: String(pageSize),
      ...(token !== undefined && { continue: token }),
    })
    const failure = await getRaw(kubectl, `${path}?${search}`, (chunk) => list.push(chunk))
    if (failure) return failure.why
    list.end()
    if (list.next === undefined) return undefined
    if (list.next === token) return 'The API server repeats a page of the list.'
    token = list.next
  }
  return `The list has more than ${maxPages} pages.`
}

/** kubectl's message for 410. */
const isExpired = (why: string) => /\((?:Expired|Gone)\)/.test(why)

/** kubectl's message for a kind that the cluster does not have. */
export const isNotFound = (why: string) =>
  /the server doesn't have a resource type|could not find the requested resource|\(NotFound\)/i.test(why)
