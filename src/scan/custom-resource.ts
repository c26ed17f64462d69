import type { DefinedResource } from '../reports/artifact.ts'
import { objects } from '../reports/formats/values.ts'
import { isObject } from '../util/json.ts'
import { type Metadata, toHelmLabels, word } from './helm-labels.ts'
import { type KubernetesObject, readObject } from './kubernetes-object.ts'
import type { WantedCharts } from './wanted-charts.ts'

/** A CustomResourceDefinition; `null` means not stated. */
export interface InventoryCustomResource extends Omit<DefinedResource, 'chart' | 'release' | 'controller'> {
  /** Name of its chart, from its label. */
  chartName: string | null
  chartVersion: string | null
  /** The Helm release whose templates contain it. */
  releaseName: string | null
  releaseNamespace: string | null
  /** A workload of its project whose label states a version, if all such workloads agree. */
  controller: string | null
  controllerVersion: string | null
}

const maxCustomResources = 5000
const mostVersions = 50

/**
 * Labels and annotations in which projects state their own version. Those of generators, such as controller-gen, are
 * excluded.
 */
const versionMarks = [
  'operator.prometheus.io/version',
  'gateway.networking.k8s.io/bundle-version',
  'pipeline.tekton.dev/release',
  'triggers.tekton.dev/release',
  'operator.tekton.dev/release',
  'serving.knative.dev/release',
  'app.kubernetes.io/version',
]

/** Collects CustomResourceDefinitions, and workloads that may be their controllers. */
export class CustomResources {
  readonly #found = new Map<string, { read: InventoryCustomResource; metadata: Metadata }>()
  isFull = false

  /** Ignores objects other than definitions. */
  add(item: unknown): void {
    const metadata = readObject(item, 'CustomResourceDefinition')?.metadata
    const read = metadata && readDefinition(item, metadata)
    if (!read) return
    if (this.#found.size < maxCustomResources || this.#found.has(read.name)) {
      this.#found.set(read.name, { read, metadata })
    } else this.isFull = true
  }

  /** Call it after everything was added. */
  all(workloads: Iterable<KubernetesObject>, wanted: WantedCharts): InventoryCustomResource[] {
    if (this.#found.size === 0) return []
    const byLabel = groupControllers(workloads)
    const applications = new Set(wanted.all().flatMap(({ kind, name }) => (kind === 'Application' ? [name] : [])))
    return [...this.#found.values()].map(({ read, metadata }) => ({
      ...read,
      appliedBy: appliedBy(metadata, applications),
      ...(read.versionFrom !== null && controllerFor(metadata, byLabel)),
    }))
  }
}

function readDefinition(item: unknown, metadata: Metadata): InventoryCustomResource | undefined {
  const { spec, status } = item as Record<string, unknown>
  if (!isObject(spec)) return undefined
  const [group, kind] = [word(spec.group), isObject(spec.names) ? word(spec.names.kind) : undefined]
  if (group === undefined || kind === undefined) return undefined
  const { chart, release } = toHelmLabels(metadata)
  const annotated = word(metadata.annotations['meta.helm.sh/release-name'])
  const stored = isObject(status) && Array.isArray(status.storedVersions) ? status.storedVersions : []
  return {
    name: metadata.name,
    group,
    kind,
    versions: readVersions(spec.versions),
    stored: stored.flatMap((version) => word(version) ?? []).slice(0, mostVersions),
    ...statedVersion(metadata),
    chartName: chart?.name ?? null,
    chartVersion: chart?.version ?? null,
    releaseName: annotated === undefined ? null : (release ?? null),
    releaseNamespace: word(metadata.annotations['meta.helm.sh/release-namespace']) ?? null,
    appliedBy: null,
    controller: null,
    controllerVersion: null,
  }
}

const readVersions = (versions: unknown): InventoryCustomResource['versions'] =>
  objects(versions)
    .flatMap(({ name, served, storage, deprecated }) => {
      const called = word(name)
      const flags = { served: served === true, storage: storage === true, deprecated: deprecated === true }
      return called === undefined ? [] : [{ name: called, ...flags }]
    })
    .slice(0, mostVersions)

function statedVersion({ labels, annotations }: Metadata): Pick<InventoryCustomResource, 'version' | 'versionFrom'> {
  for (const mark of versionMarks) {
    const version = word(annotations[mark]) ?? word(labels[mark])
    if (version !== undefined && /^v?\d+\.\d+/.test(version)) return { version, versionFrom: mark }
  }
  return { version: null, versionFrom: null }
}

/** Argo CD marks objects of an Application with an annotation or label; older versions with the instance label. */
function appliedBy({ labels, annotations }: Metadata, applications: ReadonlySet<string>): string | null {
  for (const [kind, prefix] of [
    ['HelmRelease', 'helm'],
    ['Kustomization', 'kustomize'],
  ] as const) {
    const name = word(labels[`${prefix}.toolkit.fluxcd.io/name`])
    const namespace = word(labels[`${prefix}.toolkit.fluxcd.io/namespace`])
    if (name !== undefined && namespace !== undefined) return `${kind} ${namespace}/${name}`
  }
  const tracked = word(annotations['argocd.argoproj.io/tracking-id'])?.split(':', 1)[0]
  const application = tracked ?? word(labels['argocd.argoproj.io/instance'])
  if (application !== undefined) return `Application ${application}`
  const instance = word(labels['app.kubernetes.io/instance'])
  return instance !== undefined && applications.has(instance) ? `Application ${instance}` : null
}

const projectLabels = ['app.kubernetes.io/part-of', 'app.kubernetes.io/name'] as const

/** Workloads with a version label, by the project in their labels. */
function groupControllers(workloads: Iterable<KubernetesObject>) {
  const found = [...workloads].flatMap(({ kind, metadata }) => {
    const version = word(metadata.labels['app.kubernetes.io/version'])
    if (version === undefined || !controllerKinds.has(kind)) return []
    const name = `${kind} ${metadata.namespace}/${metadata.name}`
    const projects = projectLabels.map((label) => ({ label, project: word(metadata.labels[label]) }))
    return projects.filter(({ project }) => project !== undefined).map((each) => ({ ...each, name, version }))
  })
  return Map.groupBy(found, ({ label, project }) => `${label}=${project}`)
}

const controllerKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet'])

/** Workloads with different versions do not show which of them serves the definition. */
function controllerFor({ labels }: Metadata, byLabel: ReturnType<typeof groupControllers>) {
  for (const label of projectLabels) {
    const project = word(labels[label])
    const all = project === undefined ? [] : (byLabel.get(`${label}=${project}`) ?? [])
    const [first] = all
    if (!first) continue
    return all.every(({ version }) => version === first.version)
      ? { controller: first.name, controllerVersion: first.version }
      : {}
  }
  return {}
}
