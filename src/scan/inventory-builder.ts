import { type ChartLabel, type HelmLabels, helmLabelsOf, word } from './helm-labels.ts'
import type { HelmRelease } from './helm-release.ts'
import { type InventoryChart, type InventoryImage, maxImages, type ScannedInventory } from './inventory.ts'
import { type KubernetesObject, readObject } from './kubernetes-object.ts'

type Owner = NonNullable<KubernetesObject['owner']>

interface Workload {
  kind: string
  name: string
  namespace: string
  helm: HelmLabels
  managedBy: string | null
  partOf: string | null
  /** As its template says; what its pods say goes before. */
  containers: KubernetesObject['containers']
  /** Its controller: a CronJob represents its Jobs, a Deployment its ReplicaSets. */
  owner: Owner | undefined
  hasPods: boolean
}

/** Collects an inventory object by object: first the workloads, then the pods, which belong to them. */
export class InventoryBuilder {
  readonly #excluded: Set<string>
  readonly #workloads = new Map<string, Workload>()
  readonly #images = new Map<string, InventoryImage>()
  readonly #releases = new Map<string, HelmRelease>()
  /** There are more images than an inventory takes. */
  isFull = false

  constructor(excludedNamespaces: string[] = []) {
    this.#excluded = new Set(excludedNamespaces)
  }

  /** Adds a Kubernetes object; anything else is ignored. */
  add(item: unknown, kindOfList?: string): void {
    const object = readObject(item, kindOfList)
    if (!object || this.#excluded.has(object.metadata.namespace)) return
    if (object.kind === 'Pod') this.#addPod(object)
    else if (workloadKinds.has(object.kind)) {
      this.#workloads.set(keyOf(object.kind, object.metadata.namespace, object.metadata.name), workloadOf(object))
    }
  }

  addRelease(release: HelmRelease): void {
    if (!this.#excluded.has(release.namespace)) this.#releases.set(`${release.namespace}/${release.name}`, release)
  }

  finish(): ScannedInventory {
    for (const workload of this.#workloads.values()) {
      if (workload.hasPods || this.#isOwned(workload)) continue
      const { kind, owner, containers } = workload
      const top = kind === 'Job' && owner ? { ...workload, ...owner } : workload
      for (const { name, image } of containers) this.#addImage(top, name, image, undefined)
    }
    return { images: [...this.#images.values()], helmCharts: this.#charts() }
  }

  /** A pod that has ended runs nothing: what comes next is what its workload's template says. */
  #addPod(pod: KubernetesObject): void {
    const workload = this.#ownerOf(pod)
    if (pod.phase === 'Succeeded' || pod.phase === 'Failed') return
    workload.hasPods = true
    for (const { name, image } of pod.containers) this.#addImage(workload, name, image, pod.imageIds.get(name))
  }

  /** Its owner represents it. A Deployment keeps the ReplicaSets of old revisions, even when it could not be read. */
  #isOwned({ kind, namespace, owner }: Workload): boolean {
    if (owner === undefined) return false
    return kind === 'ReplicaSet' || this.#workloads.has(keyOf(owner.kind, namespace, owner.name))
  }

  /** The top-level workload. If it could not be read, it is derived from the pod and its owner. */
  #ownerOf(pod: KubernetesObject): Workload {
    const { namespace } = pod.metadata
    const direct = ownerOfPod(pod)
    const owner = this.#workloads.get(keyOf(direct.kind, namespace, direct.name))
    const isPart = owner?.kind === 'ReplicaSet' || owner?.kind === 'Job'
    const top = isPart && owner.owner ? owner.owner : direct
    const found = this.#workloads.get(keyOf(top.kind, namespace, top.name)) ?? this.#cronJobOf(top, namespace)
    if (found) return found
    const made = { ...workloadOf(pod), ...top, containers: [], owner: undefined }
    this.#workloads.set(keyOf(top.kind, namespace, top.name), made)
    return made
  }

  /** The CronJob of a Job that could not be read. A CronJob names its Jobs by its own name and the time in minutes. */
  #cronJobOf(job: Owner, namespace: string): Workload | undefined {
    const name = job.kind === 'Job' ? /^(.+)-\d{8}$/.exec(job.name)?.[1] : undefined
    return name === undefined ? undefined : this.#workloads.get(keyOf('CronJob', namespace, name))
  }

  #addImage(workload: Workload, containerName: string, fullRef: string, imageId: string | undefined): void {
    const { kind, name, namespace, helm, managedBy, partOf } = workload
    const key = `${kind}/${namespace}/${name}/${containerName}/${fullRef}`
    const known = this.#images.get(key)
    const parts = partsOf(fullRef)
    const digest = parts.digest ?? /sha256:[0-9a-f]{64}$/.exec(imageId ?? '')?.[0] ?? null
    if (known) {
      known.digest ??= digest
      return
    }
    if (this.#images.size === maxImages) {
      this.isFull = true
      return
    }
    this.#images.set(key, {
      fullRef,
      name: parts.name,
      tag: parts.tag,
      digest,
      namespace,
      workloadKind: kind,
      workloadName: name,
      containerName,
      managedByHelm: helm.isHelm,
      helmChartName: this.#chartOf(workload)?.name ?? null,
      helmReleaseName: helm.release ?? null,
      managedBy,
      partOf,
    })
  }

  /** The release's own record takes precedence over a label. */
  #chartOf({ namespace, helm }: Workload): ChartLabel | undefined {
    const release = this.#releases.get(`${helm.releaseNamespace ?? namespace}/${helm.release}`)
    return release?.chart ?? helm.chart
  }

  /** One per release, or per chart without a release. */
  #charts(): InventoryChart[] {
    const charts = new Map<string, InventoryChart>()
    const add = (chart: InventoryChart) => {
      const key = `${chart.releaseNamespace}/${chart.releaseName ?? chart.name}/${chart.name}@${chart.version}`
      if (!charts.has(key)) charts.set(key, chart)
    }
    for (const workload of this.#workloads.values()) {
      const chart = this.#chartOf(workload)
      if (!chart) continue
      add({
        ...chart,
        releaseName: workload.helm.release ?? null,
        releaseNamespace: workload.helm.releaseNamespace ?? workload.namespace,
        workloadKind: workload.kind,
        workloadName: workload.name,
      })
    }
    for (const { name, namespace, chart } of this.#releases.values()) {
      add({ ...chart, releaseName: name, releaseNamespace: namespace, workloadKind: null, workloadName: null })
    }
    return [...charts.values()]
  }
}

const workloadKinds = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'])

function keyOf(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`
}

function workloadOf({ kind, metadata, owner, containers }: KubernetesObject): Workload {
  const { name, namespace, labels } = metadata
  return {
    kind,
    name,
    namespace,
    helm: helmLabelsOf(metadata),
    managedBy: word(labels['app.kubernetes.io/managed-by']) ?? null,
    partOf: word(labels['app.kubernetes.io/part-of']) ?? null,
    containers,
    owner,
    hasPods: false,
  }
}

/** Only pods of a Deployment's ReplicaSet have this label; it is the suffix of the ReplicaSet's name. */
function ownerOfPod({ metadata, owner }: KubernetesObject): Owner {
  if (!owner) return { kind: 'Pod', name: metadata.name }
  const hash = word(metadata.labels['pod-template-hash'])
  if (owner.kind !== 'ReplicaSet' || hash === undefined || !owner.name.endsWith(`-${hash}`)) return owner
  return { kind: 'Deployment', name: owner.name.slice(0, -hash.length - 1) }
}

/** The last colon behind the last slash begins the tag; before it is a port. */
function partsOf(reference: string): { name: string; tag: string | null; digest: string | null } {
  const [rest = '', digest = null] = reference.split('@', 2)
  const colon = rest.indexOf(':', rest.lastIndexOf('/') + 1)
  return colon < 0
    ? { name: rest, tag: null, digest }
    : { name: rest.slice(0, colon), tag: rest.slice(colon + 1), digest }
}
