import { withoutMachine } from './image-names.ts'
import { type ImageRef, repositoryFor } from './image-ref.ts'

const words = (text: string) => text.trim().split(/\s+/)

/** Registries whose paths start with the publisher, so no path below them is a cache of another registry. */
const publicRegistries = new Set(
  words(`
    cgr.dev codeberg.org docker.elastic.co docker.io ghcr.io k8s.gcr.io lscr.io mcr.microsoft.com mirror.gcr.io nvcr.io
    public.ecr.aws quay.io registry.access.redhat.com registry.gitlab.com registry.k8s.io`),
)

/** Registries that most projects publish to. */
const publishers = ['docker.io', 'quay.io', 'ghcr.io', 'registry.k8s.io']

/** Mirror → origin, current. */
const mirrors: [string, string][] = [
  ['mirror.gcr.io/', 'docker.io/'],
  ['public.ecr.aws/docker/', 'docker.io/'],
  ['ecr-public.aws.com/docker/', 'docker.io/'],
  ['docker.m.daocloud.io/', 'docker.io/'],
  ['quay.m.daocloud.io/', 'quay.io/'],
  ['ghcr.m.daocloud.io/', 'ghcr.io/'],
  ['gcr.m.daocloud.io/', 'gcr.io/'],
  ['k8s.m.daocloud.io/', 'registry.k8s.io/'],
]

/** Announced copies: prefix → prefix of the origin. */
const copies: [string, string][] = [
  ...mirrors,
  ['public.ecr.aws/bitnami/', 'docker.io/bitnami/'],
  ['k8s.gcr.io/', 'registry.k8s.io/'],
  ['registry.k8s.io/', 'k8s.gcr.io/'],
  ['docker.io/bitnamilegacy/', 'docker.io/bitnami/'],
  ['docker.io/bitnamisecure/', 'docker.io/bitnami/'],
  ...words('amd64 arm64v8 arm32v7 i386 ppc64le s390x').map((architecture): [string, string] => [
    `docker.io/${architecture}/`,
    'docker.io/library/',
  ]),
]

/** Common names of the registry behind a cache, after removal of words such as `proxy` and `remote`. */
const aliases = new Map(
  Object.entries({
    'docker.io': 'docker docker-hub docker-io dockerhub dockerio',
    'quay.io': 'quay quay-io quayio',
    'ghcr.io': 'ghcr ghcr-io ghcrio github',
    'gcr.io': 'gcr gcr-io google',
    'registry.k8s.io': 'k8s k8s-io k8s-gcr-io kubernetes google_containers google-containers',
    'public.ecr.aws': 'ecr ecr-aws',
    'mcr.microsoft.com': 'mcr mcr-microsoft-com microsoft',
    'docker.elastic.co': 'elastic docker-elastic-co',
    'registry.gitlab.com': 'gitlab gitlab-com',
    'nvcr.io': 'nvcr nvcr-io',
  }).flatMap(([registry, names]) => words(names).map((name) => [name, registry])),
)
const cacheWords = new Set(
  words(`
    cache cached group images mirror mirrors prod proxy public pull pullthrough registry remote repo through upstream
    virtual`),
)

/**
 * The repositories that an image may represent if it comes through a mirror or a pull-through cache, most likely first,
 * never its own. Guessed by form: the catalog decides whether such a repository exists.
 */
export function upstreamRepositories(ref: ImageRef) {
  const own = repositoryFor(ref)
  const cached = cachedFor(ref)
  const found = [...cached, ...[own, ...cached].flatMap(announcedCopies)].map(qualified)
  return [...new Set(found)].filter((repository) => repository !== own)
}

/** The repositories that an image is pulled from through a mirror or cache: its own, and those behind it. */
export function sourceRepositories(ref: ImageRef) {
  const own = repositoryFor(ref)
  const mirrored = mirrors.flatMap(([prefix, source]) =>
    own.startsWith(prefix) ? [source + own.slice(prefix.length)] : [],
  )
  return [own, ...[...cachedFor(ref), ...mirrored].map(qualified)]
}

const cachedFor = ({ registry, repository }: ImageRef) =>
  isPublicRegistry(registry) ? [] : cachedBelow(repository.split('/'))

export function isPublicRegistry(registry: string) {
  return publicRegistries.has(registry)
}

/** Candidate origins: images with the same owner and name, or an official image with the same name. */
export function namesakeRepositories(ref: ImageRef) {
  if (isPublicRegistry(ref.registry)) return []
  const path = ref.repository.split('/')
  const owned = path.length < 2 ? [] : publishers.map((registry) => `${registry}/${path.slice(-2).join('/')}`)
  return [...owned, `docker.io/library/${path.at(-1)}`]
}

function announcedCopies(repository: string) {
  const found = copies
    .filter(([prefix]) => repository.startsWith(prefix))
    .map(([prefix, upstream]) => upstream + repository.slice(prefix.length))
  // Amazon's own accounts have the same images in every region.
  const regional = repository.replace(/^(\d{12}\.dkr\.ecr)\.[a-z0-9-]+\./, '$1.us-west-2.')
  return [...found, regional, withoutMachine(repository), ...rancherCopies(repository)]
}

/** `harbor.corp/<cache>/<path>`: every segment that names a registry, and `library`, which only exists on docker.io. */
function cachedBelow(segments: string[]) {
  const found: string[] = []
  for (const [index, segment] of segments.slice(0, -1).entries()) {
    const below = segments.slice(index + 1).join('/')
    const alias = aliases.get(segment) ?? aliases.get(withoutCacheWords(segment))
    if (segment.includes('.')) found.push(`${segment}/${below}`)
    // A folder `docker` may contain any images; one with an owner or `library` below it is a cache.
    if (alias && (segment !== 'docker' || below.includes('/'))) found.push(`${alias}/${below}`)
    if (segment === 'library' || segment === 'bitnami') found.push(`docker.io/${segment}/${below}`)
    // GitLab's dependency proxy: `<group>/dependency_proxy/containers/<path>`.
    if (segment === 'containers' && segments[index - 1] === 'dependency_proxy') found.push(`docker.io/${below}`)
  }
  return found
}

/** `dockerhub-proxy`, `remote-docker-hub`, `registry.k8s.io` → `dockerhub`, `docker-hub`, `k8s-io` */
function withoutCacheWords(segment: string) {
  return segment
    .split(/[-._]+/)
    .filter((word) => !cacheWords.has(word))
    .join('-')
}

/** `rancher/mirrored-<owner>-<name>`, in older releases without `mirrored-`; both parts may contain hyphens. */
function rancherCopies(repository: string) {
  const copied = /^(?:docker\.io|registry\.(?:rancher|suse)\.com)\/rancher\/(?:mirrored-)?([^/]+)$/.exec(
    repository,
  )?.[1]
  if (copied === undefined) return []
  const words = copied.split('-')
  return words.slice(1, 4).flatMap((_, index) => {
    const path = `${words.slice(0, index + 1).join('-')}/${words.slice(index + 1).join('-')}`
    return publishers.map((registry) => `${registry}/${path}`)
  })
}

/** Official images of docker.io are below `library`. */
function qualified(repository: string) {
  return repository.replace(/^docker\.io\/(?=[^/]+$)/, 'docker.io/library/')
}
