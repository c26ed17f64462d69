import { ApiUses } from './api-use.ts'
import { type HelmLabels, type Metadata, toHelmLabels, word } from './helm-labels.ts'
import type { HelmRelease } from './helm-release.ts'
import {
  type InventoryChart,
  type InventoryImage,
  type InventoryNode,
  maxImages,
  maxNodes,
  maxOwners,
  type ScannedInventory,
} from './inventory.ts'
import { type KubernetesObject, type ObjectName, readObject } from './kubernetes-object.ts'
import { readNode } from './node.ts'
import { type InventoryOwnerLabel, toOwnerLabel } from './owner-label.ts'
import { Owners } from './owners.ts'
import { Running } from './running.ts'
import type { InventoryWanted } from './wanted.ts'
import { chartOfWanted, WantedCharts } from './wanted-charts.ts'

/** The owner of images and charts. */
interface Workload extends ObjectName {
  namespace: string
  helm: HelmLabels
  managedBy: string | null
  toPart: string | null
  /** The object in the cluster that asks for its chart. */
  wanted: InventoryWanted | undefined
  /** Owner by its labels. */
  owner: string | undefined
  specDigest: string | undefined
}

/** Collects an inventory from objects in any order. */
export class InventoryBuilder {
  readonly #excluded: Set<string>
  readonly #owners = new Owners()
  readonly #pods: KubernetesObject[] = []
  readonly #templates = new Map<string, KubernetesObject>()
  readonly #releases = new Map<string, HelmRelease>()
  readonly #workloads = new Map<string, Workload>()
  readonly #images = new Map<string, InventoryImage>()
  readonly #nodes = new Map<string, InventoryNode>()
  /** Namespace → owner by its labels. */
  readonly #namespaceOwners = new Map<string, string>()
  /** Sources that were read, even if empty. */
  readonly #sources = new Set<string>()
  /** CronJob → name of its latest Job. Names of Jobs end with the time. */
  readonly #latestJobs = new Map<string, string>()
  /** The limit of images or controllers in an inventory was reached. */
  isFull = false
  readonly running = new Running(this.#owners)
  readonly wanted = new WantedCharts()
  readonly apis = new ApiUses()

  constructor(excludedNamespaces: string[] = []) {
    this.#excluded = new Set(excludedNamespaces)
  }

  /** Adds a Kubernetes object; ignores anything else. */
  add(item: unknown, kindOfList?: string) {
    const object = readObject(item, kindOfList)
    if (object) this.addObject(object)
  }

  addObject(object: KubernetesObject): void {
    const { kind, metadata } = object
    if (this.#excluded.has(metadata.namespace)) return
    if (kind === 'Pod') this.#pods.push(object)
    else if (workloadKinds.has(kind)) this.#templates.set(toKey(kind, metadata.namespace, metadata.name), object)
    else return
    this.#owners.add(object)
    if (kind === 'Job' && object.owner?.kind === 'CronJob') this.#noteJob(metadata, object.owner)
  }

  #noteJob({ namespace, name }: Metadata, owner: ObjectName) {
    const cronJob = toKey('CronJob', namespace, owner.name)
    if (name > (this.#latestJobs.get(cronJob) ?? '')) this.#latestJobs.set(cronJob, name)
  }

  /** Ignores objects other than nodes. */
  addNode(item: unknown) {
    const node = readNode(item)
    if (!node) return
    if (this.#nodes.size < maxNodes) this.#nodes.set(node.name, node)
    else this.isFull = true
  }

  /** Ignores objects other than namespaces. */
  addNamespace(item: unknown) {
    const object = readObject(item, 'Namespace')
    const owner = object && toOwnerLabel(object.metadata)
    if (owner !== undefined) this.#namespaceOwners.set(object!.metadata.name, owner)
  }

  /** Kinds that were read. */
  sources() {
    return [...this.#sources]
  }

  noteSource(name: string) {
    this.#sources.add(name)
  }

  addRelease(release: HelmRelease) {
    if (!this.#excluded.has(release.namespace)) this.#releases.set(`${release.namespace}/${release.name}`, release)
  }

  finish(): ScannedInventory {
    for (const pod of this.#pods) if (!pod.hasEnded) this.#addPod(pod)
    for (const template of this.#templates.values()) this.#addTemplate(template)
    const apis = this.apis.all()
    const labels = this.#ownerLabels()
    const wanted = this.wanted
      .all()
      .slice(0, maxNodes)
      .filter(({ namespace }) => !this.#excluded.has(namespace))
    return {
      images: [...this.#images.values()],
      helmCharts: this.#charts(),
      owners: this.#links(),
      ...(labels.length > 0 && { ownerLabels: labels }),
      ...(this.#sources.has('nodes') && { nodes: [...this.#nodes.values()] }),
      ...(wanted.length > 0 && { wanted }),
      ...(apis.length > 0 && { apis }),
    }
  }

  #addPod(pod: KubernetesObject) {
    const { owner, metadata } = pod
    const controller = owner && this.#templates.get(toKey(owner.kind, metadata.namespace, owner.name))
    this.running.add(pod, controller?.containers)
    const workload = this.#toWorkload(pod)
    for (const { name, image } of pod.containers) this.#addImage(workload, name, image, pod.imageIds.get(name))
  }

  /** For a workload without pods, its template shows what will run. */
  #addTemplate(object: KubernetesObject) {
    const { kind, metadata, containers } = object
    const hasPods = this.running.isLive(metadata.namespace, { kind, name: metadata.name })
    // A CronJob counts as running between its Jobs, too.
    if (kind === 'CronJob') this.running.add(object)
    if (hasPods || this.#isRepresented(object)) return
    const workload = this.#toWorkload(object)
    for (const { name, image } of containers) this.#addImage(workload, name, image, undefined)
  }

  /**
   * Whether its controller already represents it, or it will never run again. Old ReplicaSets of a Deployment and finished
   * Jobs of a CronJob do not count, except the latest Job of a CronJob that could not be read.
   */
  #isRepresented({ kind, metadata: { namespace, name }, owner, hasEnded }: KubernetesObject) {
    if (kind === 'ReplicaSet') return owner !== undefined
    if (kind === 'Job' && owner?.kind === 'CronJob') {
      const cronJob = toKey('CronJob', namespace, owner.name)
      return this.#templates.has(cronJob) || this.#latestJobs.get(cronJob) !== name
    }
    if (hasEnded) return true
    return owner !== undefined && this.#templates.has(toKey(owner.kind, namespace, owner.name))
  }

  /** Named after the top of its chain of controllers, with labels of the highest object that is listed. */
  #toWorkload(object: KubernetesObject) {
    const { kind, metadata } = object
    const { namespace, name } = metadata
    const chain = this.#owners.chainFor(namespace, { kind, name })
    const top = chain.at(-1) ?? { kind, name }
    const key = toKey(top.kind, namespace, top.name)
    const known = this.#workloads.get(key)
    if (known) return known
    const listed = chain.findLast((link) => this.#templates.has(toKey(link.kind, namespace, link.name)))
    const highest = listed ? this.#templates.get(toKey(listed.kind, namespace, listed.name))! : object
    const source = highest.metadata
    const made = {
      ...top,
      namespace,
      helm: toHelmLabels(source),
      managedBy: word(source.labels['app.kubernetes.io/managed-by']) ?? null,
      toPart: word(source.labels['app.kubernetes.io/part-of']) ?? null,
      wanted: this.#wantedOf(source),
      owner: toOwnerLabel(source),
      specDigest: highest.specDigest,
    }
    this.#workloads.set(key, made)
    return made
  }

  #addImage(workload: Workload, containerName: string, fullRef: string, imageId: string | undefined) {
    const { kind, name, namespace, helm, managedBy, toPart, specDigest } = workload
    const key = `${kind}/${namespace}/${name}/${containerName}/${fullRef}`
    const known = this.#images.get(key)
    const parts = toParts(fullRef)
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
      helmChartName: this.#toChart(workload)?.name ?? null,
      helmReleaseName: this.#toRelease(workload),
      managedBy,
      toPart,
      ...(specDigest !== undefined && { specDigest }),
    })
  }

  #wantedOf(source: Metadata) {
    const { release, releaseNamespace = source.namespace } = toHelmLabels(source)
    return this.wanted.ofObject(source) ?? this.wanted.ofRelease(releaseNamespace, release)
  }

  /** The release's own record overrides a label, and both override the wanted chart. */
  #toChart({ namespace, helm, wanted }: Workload) {
    const release = this.#releases.get(`${helm.releaseNamespace ?? namespace}/${helm.release}`)
    return release?.chart ?? helm.chart ?? (wanted && chartOfWanted(wanted))
  }

  #toRelease({ helm, wanted }: Workload) {
    return helm.release ?? wanted?.releaseName ?? null
  }

  /** One entry per release, or per chart without a release. */
  #charts() {
    const charts = new Map<string, InventoryChart>()
    /** Charts by release, ignoring versions. */
    const listed = new Set<string>()
    const releaseKey = (name: string | null, release: string | null, namespace: string | null) =>
      JSON.stringify([name, release, namespace])
    const add = (chart: InventoryChart) => {
      listed.add(releaseKey(chart.name, chart.releaseName, chart.releaseNamespace))
      const key = `${chart.releaseNamespace}/${chart.releaseName ?? chart.name}/${chart.name}@${chart.version}`
      if (!charts.has(key)) charts.set(key, chart)
    }
    for (const workload of this.#workloads.values()) {
      const chart = this.#toChart(workload)
      if (!chart) continue
      add({
        ...chart,
        releaseName: this.#toRelease(workload),
        releaseNamespace: workload.helm.releaseNamespace ?? workload.wanted?.releaseNamespace ?? workload.namespace,
        workloadKind: workload.kind,
        workloadName: workload.name,
      })
    }
    for (const wanted of this.wanted.all()) {
      const { chart: name, running, releaseName, releaseNamespace, namespace } = wanted
      const isListed = listed.has(releaseKey(name, releaseName, releaseNamespace))
      if (name === null || running === null || isListed || this.#excluded.has(releaseNamespace ?? namespace)) continue
      const place = { releaseName, releaseNamespace: releaseNamespace ?? namespace }
      add({ name, version: running, ...place, workloadKind: null, workloadName: null })
    }
    for (const { name, namespace, chart } of this.#releases.values()) {
      add({ ...chart, releaseName: name, releaseNamespace: namespace, workloadKind: null, workloadName: null })
    }
    return [...charts.values()]
  }

  /** Namespaces first, because owners of workloads override theirs. */
  #ownerLabels(): InventoryOwnerLabel[] {
    const ofNamespaces = [...this.#namespaceOwners].map(([namespace, owner]) => {
      return { namespace, workloadKind: null, workloadName: null, owner }
    })
    const ofWorkloads = [...this.#workloads.values()].flatMap(({ namespace, kind, name, owner }) =>
      owner === undefined ? [] : [{ namespace, workloadKind: kind, workloadName: name, owner }],
    )
    const all = [...ofNamespaces.filter(({ namespace }) => !this.#excluded.has(namespace)), ...ofWorkloads]
    if (all.length > maxImages) this.isFull = true
    return all.slice(0, maxImages)
  }

  /** Includes ended pods, because scanners report these. */
  #links() {
    const jobs = [...this.#templates.values()].filter(({ kind }) => kind === 'Job')
    const links = this.#owners.toLinks([...this.#pods, ...jobs])
    if (links.length > maxOwners) this.isFull = true
    return links.slice(0, maxOwners)
  }
}

const workloadKinds = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
  'ReplicationController',
])

function toKey(kind: string, namespace: string, name: string) {
  return `${kind}/${namespace}/${name}`
}

/** The tag starts after the last colon that follows the last slash; an earlier colon is before a port. */
function toParts(reference: string) {
  const [rest = '', digest = null] = reference.split('@', 2)
  const colon = rest.indexOf(':', rest.lastIndexOf('/') + 1)
  return colon < 0
    ? { name: rest, tag: null, digest }
    : { name: rest.slice(0, colon), tag: rest.slice(colon + 1), digest }
}
