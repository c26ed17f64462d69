import { word } from './helm-labels.ts'
import type { KubernetesObject, ObjectName } from './kubernetes-object.ts'
import { ownerByLabel, ownerByName } from './owner-rules.ts'

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
    this.#listed.add(keyOf(namespace, object.kind, name))
    const owner = ownerOf(object)
    if (owner) this.#link(linkOf(namespace, { kind, name }, owner))
    if (kind !== 'Pod' && kind !== 'Job') return
    const template = owner?.kind === 'ReplicaSet' ? ownerOfReplicaSet(owner.name, labels) : undefined
    if (template) this.#hints.push(linkOf(namespace, owner!, template))
    const labelled = ownerByLabel(labels, annotations)
    if (labelled) this.#hints.push(linkOf(namespace, { kind, name }, labelled))
  }

  /** Controllers of an object, from its own to the top one. */
  chainOf(namespace: string, object: ObjectName): ObjectName[] {
    this.#useHints()
    return this.#chainOf(namespace, object)
  }

  /** What a person edits; the object itself if nothing owns it. */
  topOf(namespace: string, object: ObjectName): ObjectName {
    return this.chainOf(namespace, object).at(-1) ?? object
  }

  /** The links of the chains of these objects, each once. */
  linksOf(objects: Iterable<KubernetesObject>): InventoryOwner[] {
    const links = new Map<string, InventoryOwner>()
    for (const { kind, metadata } of objects) {
      const { namespace, name } = metadata
      let at: ObjectName = { kind, name }
      for (const owner of this.chainOf(namespace, at)) {
        links.set(keyOf(namespace, at.kind, at.name), linkOf(namespace, at, owner))
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
      const isListed = this.#listed.has(keyOf(namespace, object.kind, object.name))
      if (object.kind === 'ReplicaSet') {
        if (!isListed) this.#link(linkOf(namespace, object, { kind: ownerKind, name: ownerName }))
        continue
      }
      const top = this.#chainOf(namespace, object).at(-1) ?? object
      this.#link(linkOf(namespace, top, { kind: ownerKind, name: ownerName }))
    }
  }

  #chainOf(namespace: string, object: ObjectName): ObjectName[] {
    const chain: ObjectName[] = []
    for (let at = object; chain.length < maxLinks; at = chain.at(-1)!) {
      const known = this.#links.get(keyOf(namespace, at.kind, at.name))
      const owner = known ? { kind: known.ownerKind, name: known.ownerName } : this.#ownerByName(namespace, at)
      if (!owner || [object, ...chain].some((link) => isSame(link, owner))) break
      chain.push(owner)
    }
    return chain
  }

  /** A Job's name ends like those of a CronJob also where a person chose it, so the CronJob must be there. */
  #ownerByName(namespace: string, object: ObjectName): ObjectName | undefined {
    if (this.#listed.has(keyOf(namespace, object.kind, object.name))) return undefined
    const owner = ownerByName(object)
    const isSure = owner?.kind !== 'CronJob' || this.#listed.has(keyOf(namespace, owner.kind, owner.name))
    return isSure ? owner : undefined
  }

  #link(link: InventoryOwner): void {
    const { namespace, kind, name, ownerKind, ownerName } = link
    const key = keyOf(namespace, kind, name)
    if (isSame({ kind, name }, { kind: ownerKind, name: ownerName }) || this.#links.has(key)) return
    this.#links.set(key, link)
  }
}

/** A static pod belongs to no controller: its node is a part of its name alone. */
function ownerOf({ kind, owner, staticOn, metadata: { name } }: KubernetesObject): ObjectName | undefined {
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

const linkOf = (namespace: string, object: ObjectName, owner: ObjectName): InventoryOwner => ({
  ...{ namespace, kind: object.kind, name: object.name },
  ...{ ownerKind: owner.kind, ownerName: owner.name },
})

const keyOf = (namespace: string, kind: string, name: string): string => `${kind}/${namespace}/${name}`

const isSame = (a: ObjectName, b: ObjectName): boolean => a.kind === b.kind && a.name === b.name
