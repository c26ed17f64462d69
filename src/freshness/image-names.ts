import type { KnownProject } from './catalog-view.ts'

/** Names shared by many unrelated programs, which do not identify a project. */
const genericNames = new Set(
  `activator adapter addon admin admission agent ah all allocator api apiserver app application apps auth auto
  autoscaler aws azure backend background backup base bundled catalog central chart cleanup cli client cluster cni
  collector common community config conformance console controller core cost cron csi ctl dashboard data database
  db debug demo distribution driver edge engine event events exporter frontend gateway generic handler heartbeat
  helm homepage hub image in ingress init injector install installation interceptors iptables job jobs k8s kcp
  launcher library lite local logger main management manager metrics migrate migrator model monitor monitoring
  node notifier one operator pack package pilot placement plugin policy portal proxy queue recipes recommender
  registrar registration registry relay remover reports resolvers router runner sandbox scanner scheduler score
  sentry server service setup sidecar signal snapshot speaker stable stack storage store sync tap target task
  tenant test tool tools tracker ui updater web webapp webhook website wiki work worker workflow workspace wrapper`.split(
    /\s+/,
  ),
)

export function isGenericName(name: string) {
  return genericNames.has(name)
}

/** Whether the name has only such words, so that it may belong to anyone: `admin-tools`, `db-migrator`. */
export function isGenericImage(name: string) {
  return name.split(/[-_.]+/).every(isGenericName)
}

/** The part of a repository that names the project: `docker.io/library/nginx` → `nginx`. */
export function lastSegment(repository: string) {
  return repository.slice(repository.lastIndexOf('/') + 1)
}

/** Removes a CPU architecture: `registry.k8s.io/kube-proxy-arm64` → `registry.k8s.io/kube-proxy` */
export function withoutMachine(repository: string) {
  return repository.replace(/(?:-linux)?-(?:amd64|arm|arm64|ppc64le|s390x)$/, '')
}

/** `quay.io/argoproj/argocd` → `argoproj/argocd`; undefined without an owner between registry and name. */
export function ownerAndName(repository: string) {
  const [, ...path] = repository.split('/')
  return path.length < 2 ? undefined : path.slice(-2).join('/')
}

/** `Argo CD` → `argo-cd` */
export function toSlug(name: string) {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .join('-')
}

/** Words of a project's slug that identify it in a namespace or Helm release: `istio` in `istio-system`. */
export function distinctiveWords(project: KnownProject) {
  return [project.slug, ...project.slug.split('-')].filter((word) => word.length > 2 && !genericNames.has(word))
}
