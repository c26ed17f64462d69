import { ownerName, templateName } from './generated-name.ts'
import { type KnownNames, maxNodeName } from './reported-names.ts'
import { kindOfResource, stableMachines, stableName } from './stable-name.ts'

/** No chain of controllers is longer. */
const maxLinks = 10
/** A name of an object or of a machine, in a text. */
const name = /[a-z0-9][a-z0-9.-]*[a-z0-9]/g

/**
 * The names of a cluster as one of its scans knows them: its machines, and who owns what. They reduce a name to its template
 * where its form does not show which part of it is generated.
 */
export class ClusterNames {
  readonly #nodes = new Set<string>()
  readonly #revisions: ReadonlySet<string>
  /** `web` by the namespace and `pod/web-65cc8855c-ghk9m`. */
  readonly #owned = new Map<string, string>()
  /** `web` by `web-65cc8855c-ghk9m`, in any namespace. */
  readonly #known = new Map<string, string>()
  /** How many pods of a template run, by the namespace and `pod/web`. */
  readonly #sizes = new Map<string, number>()
  /** How many machines a pool has, by `node/aks-user`. */
  readonly #pools = new Map<string, number>()

  constructor({ nodes = new Set(), revisions = new Set(), owners = [] }: KnownNames = {}) {
    this.#revisions = revisions
    for (const node of nodes) this.addNode(node)
    const links = new Map(owners.map(({ namespace, resource, owner }) => [toKey(namespace, resource), owner]))
    for (const { namespace, resource } of owners) {
      const top = templateOwner(links, namespace, resource)
      const own = toName(resource)
      const kind = kindOfResource(top)
      // A workflow has many templates, and a driver starts pods of another: only the names of their pods tell.
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

  /** `pod/web-65cc8855c-ghk9m` → `pod/web`. Machines without a pool in their name are one template. */
  resource(namespace: string | null, resource: string): string {
    const kind = kindOfResource(resource)
    if (kind === '') return stableMachines(resource)
    if (kind === 'node') return `node/${this.#template(toName(resource))}`
    const owned = this.#owned.size > 0 ? this.#owned.get(toKey(namespace, `${kind}/${toName(resource)}`)) : undefined
    if (owned !== undefined) return `${kind}/${owned}`
    const own = toName(resource)
    return `${kind}/${stableName(kind, kind === 'pod' ? this.#withoutRevision(this.#withoutNode(own)) : own)}`
  }

  /** A text in which each known name is that of its template. */
  text(text: string): string {
    if (this.#known.size === 0 && this.#nodes.size === 0) return text
    return text.replace(name, (found) => {
      const known = this.#known.get(found)
      if (known !== undefined) return known
      return this.#nodes.has(found) ? this.#template(found) : this.#withoutNode(found)
    })
  }

  /** How many objects a template has; `resource` is its own. Undefined where no list of all is known. */
  toSize(namespace: string | null, resource: string): number | undefined {
    return resource.startsWith('node/') ? this.#pools.get(resource) : this.#sizes.get(toKey(namespace, resource))
  }

  /** All machines that the scan names; `more` are those of findings. */
  nodesWith(more: string[]): string[] {
    return [...this.#nodes.union(new Set(more))].sort()
  }

  /** The pool of a machine. */
  #template(node: string): string {
    const pool = stableMachines(node)
    return pool === node && this.#nodes.has(node) ? '*' : pool
  }

  /** `web-3-x7k2p` → `web-x7k2p`. */
  #withoutRevision(pod: string): string {
    const [, revision = '', suffix] = this.#revisions.size === 0 ? [] : (revised.exec(pod) ?? [])
    return this.#revisions.has(revision) ? `${revision.slice(0, revision.lastIndexOf('-'))}-${suffix}` : pod
  }

  /** A static pod has the name of its machine at its end. */
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

/** Kinds that have a template of pods. An operator's resource above may have several of them. */
const withTemplate = new Set(['statefulset', 'daemonset', 'deployment', 'cronjob', 'rollout'])

/** The first owner with a template whose name lasts; the top of the chain, if there is none. */
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
