import { ReltError } from '../errors.ts'
import { isObject } from '../util/json.ts'
import { type KubeCluster, type KubeFailure, Tries } from './cluster.ts'
import { createListStream } from './list-stream.ts'

/** A list on the API server. */
export interface ListAddress {
  /** API group; empty for the core group. */
  group: string
  version: string
  plural: string
  /** Undefined: of all namespaces. */
  namespace?: string | undefined
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
 * from its start. Returns why the list could not be read completely: a part must not look like the whole. The account's
 * access is asked for before, because a denied list would raise an alarm in monitored clusters. Throws `cancelled`.
 */
export async function listKind(
  cluster: KubeCluster,
  address: ListAddress,
  begin: () => (item: unknown) => void,
): Promise<KubeFailure | undefined> {
  if ((await mayList(cluster, address)) !== false) return readPages(cluster, address, begin)
  const where = address.namespace === undefined ? '' : ` in the namespace ${address.namespace}`
  return { state: 'forbidden', why: `The account is forbidden to list ${nameOfKind(address)}${where}.` }
}

/** `nodes`, `applications.argoproj.io`. */
export const nameOfKind = ({ group, plural }: Pick<ListAddress, 'group' | 'plural'>) =>
  group === '' ? plural : `${plural}.${group}`

/** Whether the account may list a kind; undefined if the API server does not say. */
export async function mayList(
  cluster: KubeCluster,
  { group, plural, namespace }: Pick<ListAddress, 'group' | 'plural' | 'namespace'>,
): Promise<boolean | undefined> {
  const spec = { resourceAttributes: { verb: 'list', group, resource: plural, ...(namespace && { namespace }) } }
  const kind = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1' }
  const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'
  const answer = await cluster.read(path, { body: { ...kind, spec } })
  const status = 'why' in answer ? undefined : answer.value.status
  return isObject(status) && typeof status.allowed === 'boolean' ? status.allowed : undefined
}

/** A page that was cut off is read again; from its start if the API server has dropped the list (410). */
async function readPages(cluster: KubeCluster, address: ListAddress, begin: () => (item: unknown) => void) {
  let take = begin()
  let token: string | undefined
  /** Objects of the current page that were taken. */
  let taken = 0
  let restarts = 0
  let tries = new Tries(cluster)
  for (let page = 0; page < maxPages; ) {
    let at = 0
    const skipped = taken
    const read = await readPage(cluster, address, token, (item) => {
      if (at++ < skipped) return
      taken++
      take(item)
    })
    if (!('why' in read)) {
      if (read.next === undefined) return undefined
      if (read.next === token) return failed('The API server repeats a page of the list.')
      token = read.next
      taken = 0
      tries = new Tries(cluster)
      page++
      continue
    }
    const mayRestart = read.isExpired && restarts++ < maxRestarts
    if (!mayRestart && !(await tries.again(read))) return read
    // A later page is of the same moment as before; the first one is not.
    if (!mayRestart && token !== undefined) continue
    token = undefined
    taken = 0
    take = begin()
  }
  return failed(`The list has more than ${maxPages} pages.`)
}

const failed = (why: string): KubeFailure => ({ state: 'failed', why })

async function readPage(
  cluster: KubeCluster,
  { group, version, plural, namespace, query, pageSize }: ListAddress,
  token: string | undefined,
  take: (item: unknown) => void,
): Promise<KubeFailure | { next: string | undefined }> {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const path = `${root}/${namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`}${plural}`
  const list = createListStream(`The list ${path}`, take)
  const search = new URLSearchParams({
    ...query,
    limit: String(pageSize),
    ...(token !== undefined && { continue: token }),
  })
  try {
    const failure = await cluster.request({ path: `${path}?${search}`, onChunk: list.push })
    if (failure) return failure
    list.end()
    return { next: list.next }
  } catch (error) {
    if (!(error instanceof ReltError) || error.code !== 'invalid_json') throw error
    return { ...failed(error.message), passes: 'soon' }
  }
}
