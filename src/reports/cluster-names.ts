import { ownerName, templateName } from './generated-name.ts'
import { type KnownNames, maxNodeName } from './reported-names.ts'
import { kindOfResource, stableMachines, stableName } from './stable-name.ts'

/** Longest chain of controllers that is followed. */
const maxLinks = 10
/** A name of an object or node within a text. */
const name = /[a-z0-9][a-z0-9.-]*[a-z0-9]/g

/**
 * Names of a cluster from one of its scans: nodes, and controllers of objects. They reduce a name to its template if the
 * form of the name does not show which part is generated.
 */
export class ClusterNames {
  readonly #nodes = new Set<string>()
  readonly #revisions: ReadonlySet<string>
  /** Namespace and `pod/web-65cc8855c-ghk9m` → `web`. */
  readonly #owned = new Map<string, string>()
  /** `web-65cc8855c-ghk9m` → `web`, in any namespace. */
  readonly #known = new Map<string, string>()
  /** Namespace and `pod/web` → number of pods. */
  readonly #sizes = new Map<string, number>()
  /** `node/aks-user` → number of nodes in the pool. */
  readonly #pools = new Map<string, number>()

  constructor({ nodes = new Set(), revisions = new Set(), owners = [] }: KnownNames = {}) {
    this.#revisions = revisions
    for (const node of nodes) this.addNode(node)
    const links = new Map(owners.map(({ namespace, resource, owner }) => [toKey(namespace, resource), owner]))
    for (const { namespace, resource } of owners) {
      const top = templateOwner(links, namespace, resource)
      const own = toName(resource)
      const kind = kindOfResource(top)
      // A workflow has many templates, and a driver pod starts pods of other templates: only the pod name distinguishes
      // them.
      const isStatic = kind === 'pod' && own.startsWith(`${toName(top)}-`)
      const isOfOwn = kind === 'workflow' || (kind === 'pod' && !isStatic)
      const stem = isOfOwn ? templateName(kindOfResource(resource), own) : ownerName(kind, toName(top))
      this.#owned.set(toKey(namespace, resource), stem)
      if (stem !== own) this.#known.set(own, stem)
      add(this.#sizes, toKey(namespace, `${kindOfResource(resource)}/${stem}`))
    }
  }

  addNode(node: string): void {
    if (this.#nodes.has(node)) return
    this.#nodes.add(node)
    add(this.#pools, `node/${this.#template(node)}`)
  }

  /** `pod/web-65cc8855c-ghk9m` → `pod/web`. Nodes without a pool in their name share one template. */
  resource(namespace: string | null, resource: string): string {
    const kind = kindOfResource(resource)
    if (kind === '') return stableMachines(resource)
    if (kind === 'node') return `node/${this.#template(toName(resource))}`
    const owned = this.#owned.size > 0 ? this.#owned.get(toKey(namespace, `${kind}/${toName(resource)}`)) : undefined
    if (owned !== undefined) return `${kind}/${owned}`
    const own = toName(resource)
    return `${kind}/${stableName(kind, kind === 'pod' ? this.#withoutRevision(this.#withoutNode(own)) : own)}`
  }

  /** Replaces each known name in a text with the name of its template. */
  text(text: string): string {
    if (this.#known.size === 0 && this.#nodes.size === 0) return text
    return text.replace(name, (found) => {
      const known = this.#known.get(found)
      if (known !== undefined) return known
      return this.#nodes.has(found) ? this.#template(found) : this.#withoutNode(found)
    })
  }

  /** Number of objects of a template; `resource` is the template. Undefined if the list of objects is incomplete. */
  toSize(namespace: string | null, resource: string): number | undefined {
    return resource.startsWith('node/') ? this.#pools.get(resource) : this.#sizes.get(toKey(namespace, resource))
  }

  /** All node names in the scan; `more` adds those from findings. */
  nodesWith(more: string[]): string[] {
    return [...this.#nodes.union(new Set(more))].sort()
  }

  /** The pool of a node. */
  #template(node: string): string {
    const pool = stableMachines(node)
    return pool === node && this.#nodes.has(node) ? '*' : pool
  }

  /** `web-3-x7k2p` → `web-x7k2p`. */
  #withoutRevision(pod: string): string {
    const [, revision = '', suffix] = this.#revisions.size === 0 ? [] : (revised.exec(pod) ?? [])
    return this.#revisions.has(revision) ? `${revision.slice(0, revision.lastIndexOf('-'))}-${suffix}` : pod
  }

  /** The name of a static pod ends with the name of its node. */
  #withoutNode(pod: string): string {
    if (this.#nodes.size === 0) return pod
    const first = Math.max(1, pod.length - maxNodeName - 1)
    for (let at = pod.indexOf('-', first); at > 0; at = pod.indexOf('-', at + 1)) {
      if (this.#nodes.has(pod.slice(at + 1))) return pod.slice(0, at)
    }
    return pod
  }
}

const revised = /^(.+-\d{1,5})-([a-z0-9]{5})$/

const add = (counts: Map<string, number>, key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1)
const toKey = (namespace: string | null, resource: string): string => `${namespace ?? ''}\n${resource}`
const toName = (resource: string): string => resource.slice(resource.indexOf('/') + 1)

/** Kinds with a pod template. An operator's resource that owns them may have several. */
const withTemplate = new Set(['statefulset', 'daemonset', 'deployment', 'cronjob', 'rollout'])

/** The first controller with a pod template and a stable name; else the top of the chain. */
function templateOwner(links: Map<string, string>, namespace: string, resource: string): string {
  let owner = resource
  for (let i = 0; i < maxLinks; i++) {
    const kind = kindOfResource(owner)
    if (withTemplate.has(kind) && ownerName(kind, toName(owner)) === toName(owner)) break
    const next = links.get(toKey(namespace, owner))
    if (next === undefined) break
    owner = next
  }
  return owner
}
