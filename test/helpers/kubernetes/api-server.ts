import { builtInResources, type ClusterState, type KubernetesObject, type Resource, toKey } from './cluster-state.ts'

export interface ApiRequest {
  method: string
  /** With its query. */
  path: string
  accept?: string | undefined
  body?: unknown
}

export interface ApiAnswer {
  status: number
  headers: Record<string, string>
  /** JSON, or a text. */
  body: unknown
  /** The request stays without an answer. */
  hangs?: true
}

/** What earlier requests left. */
export interface Memory {
  throttled: number
  forgotten: Record<string, number>
}

export const freshMemory = (): Memory => ({ throttled: 0, forgotten: {} })

/**
 * A double of Kubernetes' API server, as strict as the real one in what relt relies on. Its answers were compared, request by request, with
 * those of kube-apiserver 1.33.13 (2026-11-23): status, kinds, members and order of objects, messages, and who may do what.
 */
export function answer(
  state: ClusterState,
  memory: Memory,
  { method, path, body, accept = '' }: ApiRequest,
): ApiAnswer {
  const url = new URL(path, 'http://api')
  if (memory.throttled < (state.throttles ?? 0)) {
    memory.throttled++
    const retry = { 'retry-after': '1' }
    return { ...status(429, 'TooManyRequests', 'Too many requests, please try again later.'), headers: retry }
  }
  if (state.isAnother) return noPage()
  if (state.unknownAccount && url.pathname !== '/version') return status(401, 'Unauthorized', 'Unauthorized')
  if (url.pathname === '/version')
    return ok({ major: '1', minor: state.version.split('.')[1], gitVersion: state.version })
  if (method === 'POST') return review(state, url.pathname, body)
  const resources = [...builtInResources, ...state.resources]
  return discovery(resources, url.pathname, accept) ?? list(state, memory, { resources, url })
}

/** Every account may ask what there is. */
function discovery(resources: Resource[], path: string, accept: string): ApiAnswer | undefined {
  const groups = [...new Set(resources.map(({ group }) => group))].filter((group) => group !== '')
  const toVersions = (group: string) => [
    ...new Set(resources.filter((one) => one.group === group).map(({ version }) => version)),
  ]
  const describe = (group: string) => {
    const versions = toVersions(group).map((version) => ({ groupVersion: `${group}/${version}`, version }))
    return { name: group, versions, preferredVersion: versions[0] }
  }
  if (path === '/apis' && accept.includes('APIGroupDiscoveryList')) return ok(aggregate(resources, groups))
  if (path === '/api') return ok({ kind: 'APIVersions', versions: ['v1'] })
  if (path === '/apis') return ok({ kind: 'APIGroupList', apiVersion: 'v1', groups: groups.map(describe) })
  const [, root, group = '', version] = path.split('/')
  if (root === 'apis' && version === undefined) {
    return groups.includes(group) ? ok({ kind: 'APIGroup', apiVersion: 'v1', ...describe(group) }) : noPage()
  }
  const match = /^\/(?:api|apis\/([^/]+))\/([^/]+)$/.exec(path)
  if (!match) return undefined
  const own = resources.filter((one) => one.group === (match[1] ?? '') && one.version === match[2])
  if (own.length === 0) return noPage()
  const rows = own.map(({ plural, kind, namespaced }) => ({
    ...{ name: plural, singularName: kind.toLowerCase(), namespaced, kind },
    verbs: ['get', 'list', 'watch', 'create', 'delete'],
  }))
  const groupVersion = match[1] === undefined ? match[2] : `${match[1]}/${match[2]}`
  // The core group says no version of its own.
  const ownVersion = match[1] === undefined ? {} : { apiVersion: 'v1' }
  return ok({ kind: 'APIResourceList', ...ownVersion, groupVersion, resources: rows })
}

/** All groups at once, as API servers from 1.26 on answer. */
function aggregate(resources: Resource[], groups: string[]): unknown {
  const items = groups.map((name) => {
    const own = resources.filter(({ group }) => group === name)
    const versions = [...Map.groupBy(own, ({ version }) => version)].map(([version, served]) => ({
      version,
      resources: served.map(({ plural, kind, namespaced }) => ({
        resource: plural,
        responseKind: { group: '', version: '', kind },
        scope: namespaced ? 'Namespaced' : 'Cluster',
        verbs: ['create', 'delete', 'get', 'list', 'watch'],
      })),
      freshness: 'Current',
    }))
    return { metadata: { name, creationTimestamp: null }, versions }
  })
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items }
}

const listPath = /^\/(?:api|apis\/([^/]+))\/([^/]+)\/(?:namespaces\/([^/]+)\/)?([^/]+)$/

interface Listing {
  resources: Resource[]
  url: URL
}

function list(state: ClusterState, memory: Memory, { resources, url }: Listing): ApiAnswer {
  const [, group = '', version = '', namespace, plural = ''] = listPath.exec(url.pathname) ?? []
  if (plural === '') return noPage()
  const key = toKey({ plural, group })
  // Whether an account may ask is decided before whether there is anything.
  if (!isAllowed(state, { group, resource: plural, verb: 'list', namespace })) return forbidden(key, plural, group)
  const resource = resources.find((one) => toKey(one) === key && one.version === version)
  if (!resource) return noPage()
  if (state.down?.includes(group)) return { ...status(503, '', ''), body: 'service unavailable' }
  if (state.hangs?.includes(key)) return { status: 0, headers: {}, body: undefined, hangs: true }
  const selected = select(state, key, url.searchParams)
  if ('status' in selected) return selected
  const own = selected.objects.filter((object) => namespace === undefined || object.metadata.namespace === namespace)
  return page(resource, own, { url, memory, forgets: state.forgets?.[key] ?? 0 })
}

interface Paging {
  url: URL
  memory: Memory
  forgets: number
}

function page(resource: Resource, all: KubernetesObject[], { url, memory, forgets }: Paging): ApiAnswer {
  const [limit, token] = [Number(url.searchParams.get('limit') ?? 0), url.searchParams.get('continue')]
  const start = token === null ? 0 : readToken(token)
  if (start === undefined) return status(400, 'BadRequest', 'invalid continue token: continue key is not valid')
  const key = toKey(resource)
  if (token !== null && (memory.forgotten[key] ?? 0) < forgets) {
    memory.forgotten[key] = (memory.forgotten[key] ?? 0) + 1
    return status(410, 'Expired', 'The provided continue parameter is too old to display a consistent list result.')
  }
  const end = limit > 0 ? Math.min(start + limit, all.length) : all.length
  const more = end < all.length ? { continue: writeToken(end), remainingItemCount: all.length - end } : {}
  // This API server tells that there is more by the number of objects alone.
  const isFull = resource.group.endsWith('kubescape.io') && limit > 0 && end - start === limit
  // A list of custom resources has an empty token on its last page.
  const none = resource.typed ? {} : { continue: '' }
  const metadata = { resourceVersion: '1000', ...none, ...(isFull ? { continue: writeToken(end) } : more) }
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`
  const withoutSpec = resource.group.endsWith('kubescape.io') && url.searchParams.get('resourceVersion') !== 'fullSpec'
  const items = all.slice(start, end).map((object) => {
    const { kind: _, apiVersion: __, ...rest } = object
    const shown = withoutSpec ? { ...rest, spec: {} } : rest
    return resource.typed ? shown : { apiVersion, kind: resource.kind, ...shown }
  })
  return ok({ kind: `${resource.kind}List`, apiVersion, metadata, items })
}

const writeToken = (start: number): string =>
  Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', start })).toString('base64url')

function readToken(token: string): number | undefined {
  try {
    const { v, start } = JSON.parse(Buffer.from(token, 'base64url').toString())
    return v === 'meta.k8s.io/v1' && Number.isInteger(start) ? start : undefined
  } catch {
    return undefined
  }
}

/** Selectors of equality. A field that the kind does not support is refused. */
function select(state: ClusterState, key: string, query: URLSearchParams): { objects: KubernetesObject[] } | ApiAnswer {
  let objects = (state.objects[key] ?? []).filter((object) => !isOver(object, state.now))
  for (const [field, value] of pairs(query.get('fieldSelector'))) {
    if (!(key === 'secrets' && field === 'type') && !field.startsWith('metadata.'))
      return status(400, 'BadRequest', `field label not supported: ${field}`)
    objects = objects.filter((object) => (field === 'type' ? object.type : object.metadata[field.slice(9)]) === value)
  }
  for (const [label, value] of pairs(query.get('labelSelector'))) {
    objects = objects.filter(
      ({ metadata }) => (metadata.labels as Record<string, string> | undefined)?.[label] === value,
    )
  }
  return { objects }
}

const pairs = (text: string | null): [string, string][] =>
  (text ?? '')
    .split(',')
    .filter(Boolean)
    .map((part) => part.split('=') as [string, string])

/** Trivy's operator deletes a report when its time to live is over. */
function isOver({ metadata }: KubernetesObject, now: number | undefined): boolean {
  const annotations = metadata.annotations as Record<string, string> | undefined
  const hours = /^(\d+)h/.exec(annotations?.['trivy-operator.aquasecurity.github.io/report-ttl'] ?? '')?.[1]
  if (now === undefined || hours === undefined || typeof metadata.creationTimestamp !== 'string') return false
  return Date.parse(metadata.creationTimestamp) / 1000 + Number(hours) * 3600 <= now
}

interface Access {
  group: string
  resource: string
  verb: string
  namespace?: string | undefined
}

function isAllowed({ rules }: ClusterState, { group, resource, verb, namespace }: Access): boolean {
  if (!rules) return true
  const has = (values: string[], value: string) => values.includes(value) || values.includes('*')
  return rules.some(
    ({ apiGroups, resources, verbs, namespaces }) =>
      has(apiGroups, group) &&
      has(resources, resource) &&
      has(verbs, verb) &&
      (!namespaces || (namespace !== undefined && namespaces.includes(namespace))),
  )
}

/** SelfSubjectAccessReview, which every account may create. */
function review(state: ClusterState, path: string, body: unknown): ApiAnswer {
  if (path !== '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews') return status(405, 'MethodNotAllowed', 'no')
  const { spec } = body as { spec: { resourceAttributes: Partial<Access> } }
  const { group = '', resource = '', verb = '', namespace } = spec.resourceAttributes
  const allowed = isAllowed(state, { group, resource, verb, namespace })
  const made = { kind: 'SelfSubjectAccessReview', apiVersion: 'authorization.k8s.io/v1', metadata: {}, spec }
  return { ...ok({ ...made, status: { allowed } }), status: 201 }
}

const ok = (body: unknown): ApiAnswer => ({ status: 200, headers: {}, body })

const noPage = (): ApiAnswer => ({ status: 404, headers: {}, body: '404 page not found\n' })

function forbidden(key: string, plural: string, group: string): ApiAnswer {
  const account = 'system:serviceaccount:relt:relt-agent'
  return status(
    403,
    'Forbidden',
    `${key} is forbidden: User "${account}" cannot list resource "${plural}" in API group "${group}" at the cluster scope`,
  )
}

function status(code: number, reason: string, message: string): ApiAnswer {
  const body = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code }
  return { status: code, headers: {}, body }
}
