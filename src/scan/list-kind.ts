import { getRaw, type Kubectl } from './kubectl.ts'
import { ListStream } from './list-stream.ts'

/** A list of the API server. */
export interface ListAddress {
  /** `/api/v1/pods`, `/apis/apps/v1/deployments`. */
  path: string
  /** Further parameters. */
  query?: Record<string, string>
  /** Objects that the API server answers with at once: fewer where each is large. */
  pageSize: number
}

/** More pages than any cluster has: a server that repeats its answer is not asked forever. */
const maxPages = 10_000
const maxRestarts = 2

/**
 * Reads a list page by page. `begin` gives what takes the objects; it is called again when the list has to be read from its start,
 * since the API server forgets a list after some minutes (410). Returns why not all of it could be read: a part must not pass for
 * the whole. Throws `cancelled` and `invalid_json`.
 */
export async function listKind(
  kubectl: Kubectl,
  address: ListAddress,
  begin: () => (item: unknown) => void,
): Promise<string | undefined> {
  for (let restarts = 0; ; restarts++) {
    const why = await readPages(kubectl, address, begin())
    if (why === undefined || !isExpired(why) || restarts === maxRestarts) return why
  }
}

async function readPages(
  kubectl: Kubectl,
  { path, query, pageSize }: ListAddress,
  take: (item: unknown) => void,
): Promise<string | undefined> {
  let token: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const list = new ListStream(`The list ${path}`, take)
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

/** kubectl's words for 410. */
const isExpired = (why: string): boolean => /\((?:Expired|Gone)\)/.test(why)

/** kubectl's words for a kind that the cluster does not have. */
export const isNotFound = (why: string): boolean =>
  /the server doesn't have a resource type|could not find the requested resource|\(NotFound\)/i.test(why)
