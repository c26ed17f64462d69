import { templateHash } from '../reports/generated-name.ts'
import { word } from './helm-labels.ts'
import type { KubernetesObject, ObjectName } from './kubernetes-object.ts'

/** An object and its controller. */
export interface InventoryOwner extends ObjectName {
  namespace: string
  ownerKind: string
  ownerName: string
}

/** Longest chain of controllers that is followed. */
const maxLinks = 10

/** Chains of controllers, up to the objects that users edit. Add all objects before the first query. */
export class Owners {
  readonly #links = new Map<string, InventoryOwner>()
  /** Listed objects, whose owner references are therefore known. */
  readonly #listed = new Set<string>()
  /** Owners in labels of pods, for the objects at the top of their chains. */
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
  chainFor(namespace: string, object: ObjectName) {
    this.#useHints()
    return this.#chainFor(namespace, object)
  }

  /** The object that users edit; the object itself if it has no owner. */
  topOf(namespace: string, object: ObjectName) {
    return this.chainFor(namespace, object).at(-1) ?? object
  }

  /** The links of the chains of these objects, without duplicates. */
  toLinks(objects: Iterable<KubernetesObject>) {
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

  #useHints() {
    // ReplicaSets come first, because tops of chains depend on their owners.
    const hints = this.#hints.sort((a, b) => Number(b.kind === 'ReplicaSet') - Number(a.kind === 'ReplicaSet'))
    this.#hints = []
    for (const { namespace, ownerKind, ownerName, ...object } of hints) {
      // A listed ReplicaSet has its own owner reference.
      const isListed = this.#listed.has(toKey(namespace, object.kind, object.name))
      if (object.kind === 'ReplicaSet') {
        if (!isListed) this.#link(toLink(namespace, object, { kind: ownerKind, name: ownerName }))
        continue
      }
      const top = this.#chainFor(namespace, object).at(-1) ?? object
      this.#link(toLink(namespace, top, { kind: ownerKind, name: ownerName }))
    }
  }

  #chainFor(namespace: string, object: ObjectName) {
    const chain: ObjectName[] = []
    for (let at = object; chain.length < maxLinks; at = chain.at(-1)!) {
      const known = this.#links.get(toKey(namespace, at.kind, at.name))
      const owner = known ? { kind: known.ownerKind, name: known.ownerName } : this.#ownerByName(namespace, at)
      if (!owner || [object, ...chain].some((link) => isSame(link, owner))) break
      chain.push(owner)
    }
    return chain
  }

  /** A Job's name may end like those of a CronJob by coincidence, so the CronJob must exist. */
  #ownerByName(namespace: string, object: ObjectName) {
    if (this.#listed.has(toKey(namespace, object.kind, object.name))) return undefined
    const owner = ownerByName(object)
    const isSure = owner?.kind !== 'CronJob' || this.#listed.has(toKey(namespace, owner.kind, owner.name))
    return isSure ? owner : undefined
  }

  #link(link: InventoryOwner) {
    const { namespace, kind, name, ownerKind, ownerName } = link
    const key = toKey(namespace, kind, name)
    if (isSame({ kind, name }, { kind: ownerKind, name: ownerName }) || this.#links.has(key)) return
    this.#links.set(key, link)
  }
}

/** A static pod has no controller; only its name contains the node. */
function ownerFor({ kind, owner, staticOn, metadata: { name } }: KubernetesObject) {
  const node = owner?.kind === 'Node' ? owner.name : staticOn
  if (kind !== 'Pod' || node === undefined) return owner
  return name.endsWith(`-${node}`) ? { kind, name: name.slice(0, -node.length - 1) } : undefined
}

/** The owner of a ReplicaSet by the labels of its pods, which contain the suffix of its name. */
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

const toLink = (namespace: string, object: ObjectName, owner: ObjectName) => ({
  namespace,
  kind: object.kind,
  name: object.name,
  ownerKind: owner.kind,
  ownerName: owner.name,
})

const toKey = (namespace: string, kind: string, name: string) => `${kind}/${namespace}/${name}`

const isSame = (a: ObjectName, b: ObjectName) => a.kind === b.kind && a.name === b.name

/**
 * Labels on pods with which tools name the object that users edit. The objects in between (a Revision, a TaskRun, an
 * EphemeralRunner) are custom resources, which an inventory does not list. The first existing label counts.
 */
const labelled: [label: string, kind: string][] = [
  ['serving.knative.dev/service', 'Service'],
  ['serving.knative.dev/configuration', 'Configuration'],
  ['tekton.dev/pipeline', 'Pipeline'],
  ['tekton.dev/task', 'Task'],
  ['tekton.dev/clusterTask', 'ClusterTask'],
  ['workflows.argoproj.io/cron-workflow', 'CronWorkflow'],
  ['workflows.argoproj.io/workflow-template', 'WorkflowTemplate'],
  ['workflows.argoproj.io/cluster-workflow-template', 'ClusterWorkflowTemplate'],
  ['ray.io/originated-from-cr-name', 'RayJob'],
  ['upgrade.cattle.io/plan', 'Plan'],
  ['openshift.io/build-config.name', 'BuildConfig'],
  ['velero.io/schedule-name', 'Schedule'],
  ['katib.kubeflow.org/experiment', 'Experiment'],
  ['actions.github.com/scale-set-name', 'AutoscalingRunnerSet'],
  ['runner-deployment-name', 'RunnerDeployment'],
  ['sparkoperator.k8s.io/app-name', 'SparkApplication'],
  ['openshift.io/deployment-config.name', 'DeploymentConfig'],
]

/** The object that the labels or annotations name as owner. */
function ownerByLabel(...texts: Record<string, unknown>[]) {
  for (const [label, kind] of labelled) {
    const name = texts.map((each) => word(each[label])).find(Boolean)
    if (name !== undefined) return { kind, name }
  }
  return undefined
}

/** Names that a controller builds from its own name and the start time. */
const timed: [kind: string, name: RegExp, owner: string][] = [
  // Time in minutes.
  ['Job', /^(.+)-\d{8}$/, 'CronJob'],
  // Time in seconds.
  ['Workflow', /^(.+)-\d{10}$/, 'CronWorkflow'],
  // Time in nanoseconds.
  ['SparkApplication', /^(.+)-\d{19}$/, 'ScheduledSparkApplication'],
]

const replicaSet = new RegExp(`^(.+)-${templateHash}$`)

/** The owner of an object, derived from its name only. */
function ownerByName({ kind, name }: ObjectName) {
  for (const [of, pattern, owner] of timed) {
    const match = of === kind ? pattern.exec(name) : null
    if (match) return { kind: owner, name: match[1]! }
  }
  const template = kind === 'ReplicaSet' ? replicaSet.exec(name)?.[1] : undefined
  return template === undefined ? undefined : { kind: 'Deployment', name: template }
}
