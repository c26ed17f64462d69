/** A fully qualified image reference: `nginx` is `docker.io`, `library/nginx`. */
export interface ImageRef {
  registry: string
  /** Repository path below the registry. */
  repository: string
  tag: string | null
  digest: string | null
}

const maxReferenceLength = 1024
const maxNameLength = 255

const host =
  /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/i
const pathComponent = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*$/
const tagPattern = /^\w[\w.-]{0,127}$/
const digestPattern = /^[a-z][a-z0-9]*(?:[+._-][a-z][a-z0-9]*)*:[0-9a-f]{32,}$/i
const imageId = /^[0-9a-f]{64}$/
const dockerHosts = new Set(['docker.io', 'index.docker.io', 'registry-1.docker.io', 'registry.hub.docker.com'])

/** Cache of parsed names by text; undefined if invalid. */
export type ParsedNames = Map<string, Pick<ImageRef, 'registry' | 'repository'> | undefined>

/**
 * Parses a reference by the grammar of the distribution project; undefined if invalid. `names` saves parsing the name
 * again for each tag.
 */
export function parseImageRef(text: string, names?: ParsedNames): ImageRef | undefined {
  if (text.length > maxReferenceLength) return undefined
  const [named = '', digest = null, ...surplus] = text.split('@')
  if (surplus.length > 0 || (digest !== null && !isDigest(digest))) return undefined
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const tag = colon < 0 ? null : named.slice(colon + 1)
  if (tag !== null && !tagPattern.test(tag)) return undefined
  const nameText = colon < 0 ? named : named.slice(0, colon)
  let name = names?.get(nameText)
  if (!name && !names?.has(nameText)) {
    name = splitName(nameText)
    names?.set(nameText, name)
  }
  return name && { registry: name.registry, repository: name.repository, tag, digest }
}

/** `docker.io/library/nginx` */
export function repositoryFor(ref: ImageRef) {
  return `${ref.registry}/${ref.repository}`
}

/** The normalized reference; without tag and digest it means `latest`. */
export function normalised(ref: ImageRef) {
  const tag = ref.tag === null ? '' : `:${ref.tag}`
  return repositoryFor(ref) + (ref.digest === null ? tag || ':latest' : `${tag}@${ref.digest}`)
}

/** Common short form: `nginx:1.27.3`, `bitnami/redis`. Omits a digest next to a tag, else truncates it. */
export function familiar(ref: ImageRef) {
  const name = repositoryFor(ref).replace(/^docker\.io\/(?:library\/(?=[^/]+$))?/, '')
  if (ref.tag !== null) return `${name}:${ref.tag}`
  return ref.digest === null ? name : `${name}@${ref.digest.slice(0, ref.digest.indexOf(':') + 13)}`
}

/** The first part is a registry if it looks like a host: a dot, a port, an upper-case letter, or `localhost`. */
function splitName(name: string) {
  if (imageId.test(name)) return undefined
  const slash = name.indexOf('/')
  const first = slash < 0 ? '' : name.slice(0, slash)
  const isHost = first === 'localhost' || /[.:A-Z]/.test(first)
  if (isHost && !host.test(first)) return undefined
  const registry = !isHost || dockerHosts.has(first.toLowerCase()) ? 'docker.io' : first.toLowerCase()
  let repository = isHost ? name.slice(slash + 1) : name
  if (!repository.split('/').every((part) => pathComponent.test(part))) return undefined
  if (registry === 'docker.io' && !repository.includes('/')) repository = `library/${repository}`
  return registry.length + 1 + repository.length > maxNameLength ? undefined : { registry, repository }
}

function isDigest(digest: string) {
  if (!digestPattern.test(digest)) return false
  const [algorithm = '', hex = ''] = digest.split(':')
  const length = { sha256: 64, sha384: 96, sha512: 128 }[algorithm]
  return length === undefined || (hex.length === length && hex === hex.toLowerCase())
}
