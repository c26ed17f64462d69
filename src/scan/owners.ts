import { templateHash } from '../reports/generated-name.ts'
import { word } from './helm-labels.ts'
import type { KubernetesObject, ObjectName } from './kubernetes-object.ts'

/** An object and its controller. */
export interface InventoryOwner extends ObjectName {
  namespace: string
  ownerKind: string
  ownerName: string
}

/** No chain of controllers is longer. */
const maxLinks = 10

/** Who owns whom, up to what a person edits. All objects are added before the first question. */
export class Owners {
  readonly #links = new Map<string, InventoryOwner>()
  /** Objects that were listed: what they do not say is not so. */
  readonly #listed = new Set<string>()
  /** Owners that pods tell by their labels, of the objects at the top of their chains. */
  #hints: InventoryOwner[] = []

  add(object: KubernetesObject): void {
    const { kind, metadata } = object
    const { namespace, name, labels, annotations } = metadata
    this.#listed.add(toKey(namespace, object.kind, name))
    const owner = ownerFor(object)
    if (owner) this.#link(toLink(namespace, { kind, name }, owner))
    if (kind !== 'Pod' && kind !== 'Job') return
    const template = owner?.kind === 'ReplicaSet' ? ownerOfReplicaSet(owner.name, labels) : undefined
    if (template) this.#hints.push(toLink(namespace, owner!, template))
    const labelled = ownerByLabel(labels, annotations)
    if (labelled) this.#hints.push(toLink(namespace, { kind, name }, labelled))
  }

  /** Controllers of an object, from its own to the top one. */
  chainFor(namespace: string, object: ObjectName): ObjectName[] {
    this.#useHints()
    return this.#chainFor(namespace, object)
  }

  /** What a person edits; the object itself if nothing owns it. */
  topOf(namespace: string, object: ObjectName): ObjectName {
    return this.chainFor(namespace, object).at(-1) ?? object
  }

  /** The links of the chains of these objects, each once. */
  toLinks(objects: Iterable<KubernetesObject>): InventoryOwner[] {
    const links = new Map<string, InventoryOwner>()
    for (const { kind, metadata } of objects) {
      const { namespace, name } = metadata
      let at: ObjectName = { kind, name }
      for (const owner of this.chainFor(namespace, at)) {
        links.set(toKey(namespace, at.kind, at.name), toLink(namespace, at, owner))
        at = owner
      }
    }
    return [...links.values()]
  }

  #useHints(): void {
    // What ReplicaSets belong to is needed for the tops of chains.
    const hints = this.#hints.sort((a, b) => Number(b.kind === 'ReplicaSet') - Number(a.kind === 'ReplicaSet'))
    this.#hints = []
    for (const { namespace, ownerKind, ownerName, ...object } of hints) {
      // A listed ReplicaSet says itself whose it is.
      const isListed = this.#listed.has(toKey(namespace, object.kind, object.name))
      if (object.kind === 'ReplicaSet') {
        if (!isListed) this.#link(toLink(namespace, object, { kind: ownerKind, name: ownerName }))
        continue
      }
      const top = this.#chainFor(namespace, object).at(-1) ?? object
      this.#link(toLink(namespace, top, { kind: ownerKind, name: ownerName }))
    }
  }

  #chainFor(namespace: string, object: ObjectName): ObjectName[] {
    const chain: ObjectName[] = []
    for (let at = object; chain.length < maxLinks; at = chain.at(-1)!) {
      const known = this.#links.get(toKey(namespace, at.kind, at.name))
      const owner = known ? { kind: known.ownerKind, name: known.ownerName } : this.#ownerByName(namespace, at)
      if (!owner || [object, ...chain].some((link) => isSame(link, owner))) break
      chain.push(owner)
    }
    return chain
  }

  /** A Job's name ends like those of a CronJob also where a person chose it, so the CronJob must be there. */
  #ownerByName(namespace: string, object: ObjectName): ObjectName | undefined {
    if (this.#listed.has(toKey(namespace, object.kind, object.name))) return undefined
    const owner = ownerByName(object)
    const isSure = owner?.kind !== 'CronJob' || this.#listed.has(toKey(namespace, owner.kind, owner.name))
    return isSure ? owner : undefined
  }

  #link(link: InventoryOwner): void {
    const { namespace, kind, name, ownerKind, ownerName } = link
    const key = toKey(namespace, kind, name)
    if (isSame({ kind, name }, { kind: ownerKind, name: ownerName }) || this.#links.has(key)) return
    this.#links.set(key, link)
  }
}

/** A static pod belongs to no controller: its node is a part of its name alone. */
function ownerFor({ kind, owner, staticOn, metadata: { name } }: KubernetesObject): ObjectName | undefined {
  const node = owner?.kind === 'Node' ? owner.name : staticOn
  if (kind !== 'Pod' || node === undefined) return owner
  return name.endsWith(`-${node}`) ? { kind, name: name.slice(0, -node.length - 1) } : undefined
}

/** The owner of a ReplicaSet by the labels of its pods, which have the suffix of its name. */
function ownerOfReplicaSet(name: string, labels: Record<string, unknown>): ObjectName | undefined {
  for (const [label, kind] of [
    ['pod-template-hash', 'Deployment'],
    ['rollouts-pod-template-hash', 'Rollout'],
  ] as const) {
    const hash = word(labels[label])
    if (hash !== undefined && name.endsWith(`-${hash}`)) return { kind, name: name.slice(0, -hash.length - 1) }
  }
  return undefined
}

const toLink = (namespace: string, object: ObjectName, owner: ObjectName): InventoryOwner => ({
  ...{ namespace, kind: object.kind, name: object.name },
  ...{ ownerKind: owner.kind, ownerName: owner.name },
})

const toKey = (namespace: string, kind: string, name: string): string => `${kind}/${namespace}/${name}`

const isSame = (a: ObjectName, b: ObjectName): boolean => a.kind === b.kind && a.name === b.name

/**
 * Labels by which tools name what a person edits, on the pods that come of it. The objects between (a Revision, a TaskRun, an
 * EphemeralRunner) are custom resources, which an inventory does not list. The first label that is there counts.
 */
const labelled: [label: string, kind: string][] = [
  ['serving.knative.dev/service', 'Service'],
  ['serving.knative.dev/configuration', 'Configuration'],
  ['tekton.dev/pipeline', 'Pipeline'],
  ['tekton.dev/task', 'Task'],
  ['tekton.dev/clusterTask', 'ClusterTask'],
  ['actions.github.com/scale-set-name', 'AutoscalingRunnerSet'],
  ['runner-deployment-name', 'RunnerDeployment'],
  ['sparkoperator.k8s.io/app-name', 'SparkApplication'],
  ['openshift.io/deployment-config.name', 'DeploymentConfig'],
]

/** What the labels or annotations of an object say that it comes of. */
function ownerByLabel(...texts: Record<string, unknown>[]): ObjectName | undefined {
  for (const [label, kind] of labelled) {
    const name = texts.map((each) => word(each[label])).find(Boolean)
    if (name !== undefined) return { kind, name }
  }
  return undefined
}

/** Names that a controller makes of its own and the time at which it started something. */
const timed: [kind: string, name: RegExp, owner: string][] = [
  // Minutes.
  ['Job', /^(.+)-\d{8}$/, 'CronJob'],
  // Seconds.
  ['Workflow', /^(.+)-\d{10}$/, 'CronWorkflow'],
  // Nanoseconds.
  ['SparkApplication', /^(.+)-\d{19}$/, 'ScheduledSparkApplication'],
]

const replicaSet = new RegExp(`^(.+)-${templateHash}$`)

/** The owner of an object of which only the name is known. */
function ownerByName({ kind, name }: ObjectName): ObjectName | undefined {
  for (const [of, pattern, owner] of timed) {
    const match = of === kind ? pattern.exec(name) : null
    if (match) return { kind: owner, name: match[1]! }
  }
  const template = kind === 'ReplicaSet' ? replicaSet.exec(name)?.[1] : undefined
  return template === undefined ? undefined : { kind: 'Deployment', name: template }
}
