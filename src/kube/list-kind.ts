import { isObject, JsonReader } from '../util/json.ts'
import type { KubeCluster, KubeFailure } from './cluster.ts'
import { text } from './kubeconfig.ts'

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

/** From the start again if the API server has dropped the list (410). */
async function readPages(cluster: KubeCluster, address: ListAddress, begin: () => (item: unknown) => void) {
  let take = begin()
  let token = ''
  let restarts = 0
  for (let page = 0; page < maxPages; page++) {
    const answer = await cluster.read(pathOf(address, token), { isPatient: true }, parsePage)
    if ('why' in answer) {
      if (!answer.isExpired || restarts++ === maxRestarts) return answer
      token = ''
      take = begin()
      continue
    }
    const { items, next } = answer.value
    // One object is in memory at a time.
    for (const item of items) {
      const object = parseItem(item)
      if (object === undefined) return failed('An object of the list is not valid JSON.')
      take(object)
    }
    if (next === undefined) return undefined
    if (next === token) return failed('The API server repeats a page of the list.')
    token = next
  }
  return failed(`The list has more than ${maxPages} pages.`)
}

const utf8 = new TextDecoder()

/** The objects of a page, not parsed yet. A proxy may answer with its own object, which must not look like an empty list. */
function parsePage(body: Buffer) {
  const reader = new JsonReader(body, 'The list')
  let items: Uint8Array[] | undefined
  let metadata: unknown
  if (!reader.isObject()) return undefined
  for (const key of reader.members()) {
    if (key === 'metadata') metadata = reader.value()
    else if (key !== 'items') reader.skip()
    else if (reader.isArray()) items = Array.from(reader.elements(), () => reader.skip())
    else if (reader.value() === null) items = []
  }
  reader.end()
  return items && { items, next: isObject(metadata) ? text(metadata.continue) : undefined }
}

function parseItem(item: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(item))
  } catch {
    return undefined
  }
}

const failed = (why: string): KubeFailure => ({ state: 'failed', why })

function pathOf({ group, version, plural, namespace, query, pageSize }: ListAddress, token: string) {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`
  const place = namespace === undefined ? '' : `namespaces/${encodeURIComponent(namespace)}/`
  const search = new URLSearchParams({ ...query, limit: String(pageSize), ...(token && { continue: token }) })
  return `${root}/${place}${plural}?${search}`
}
