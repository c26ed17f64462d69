import type { ReportFormat } from '../contract/scan-finding.ts'
import type { OwnerLink } from './artifact.ts'
import { ownerName, templateName } from './generated-name.ts'
import { type KnownNames, podKey, podsOf } from './reported-names.ts'
import { kindOfResource, nameOfResource, resourceKey, stableMachines, stableName } from './stable-name.ts'

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
  /** The first parts of their names. */
  readonly #nodeStarts = new Set<string>()
  readonly #revisions: ReadonlySet<string>
  /** Namespace and `pod/web-65cc8855c-ghk9m` → `pod/web`. */
  readonly #owned = new Map<string, string>()
  /** `web-65cc8855c-ghk9m` → `web`, in any namespace. */
  readonly #known = new Map<string, string>()
  /** Namespace and `pod/web` → number of pods. */
  readonly #sizes = new Map<string, number>()
  /** `node/aks-user` → number of nodes in the pool. */
  readonly #pools = new Map<string, number>()

  /** Keys of pods that nothing owns. */
  readonly bare: Set<string>
  readonly #pods: KnownNames['pods']
  /** Namespaces in which controllers are known. */
  readonly #listed: ReadonlySet<string>

  constructor({ nodes = new Set(), revisions = new Set(), owners = [], bare = [], pods }: KnownNames = {}) {
    this.#revisions = revisions
    this.bare = new Set(bare)
    this.#pods = pods
    this.#listed = new Set(owners.map(({ namespace }) => namespace))
    for (const node of nodes) this.addNode(node)
    const links = new Map(owners.map(({ namespace, resource, owner }) => [resourceKey(namespace, resource), owner]))
    for (const { namespace, resource } of owners) {
      const top = templateOwner(links, namespace, resource)
      const own = nameOfResource(resource)
      const kind = kindOfResource(top)
      // A workflow has many templates, and a driver pod starts pods of other templates: only the pod name distinguishes
      // them.
      const isStatic = kind === 'pod' && own.startsWith(`${nameOfResource(top)}-`)
      const isOfOwn = withSteps.has(kind) || (kind === 'pod' && !isStatic)
      const stem = isOfOwn
        ? templateName(kindOfResource(resource), withTop(links, namespace, { resource, top }))
        : ownerName(kind, nameOfResource(top))
      const template = `${kindOfResource(resource)}/${stem}${sortOf(own)}`
      this.#owned.set(resourceKey(namespace, resource), template)
      if (stem !== own) this.#known.set(own, stem)
      add(this.#sizes, resourceKey(namespace, template))
    }
  }

  addNode(node: string): void {
    if (this.#nodes.has(node)) return
    this.#nodes.add(node)
    this.#nodeStarts.add(node.split('-', 1)[0]!)
    add(this.#pools, `node/${this.#template(node)}`)
  }

  /** `pod/web-65cc8855c-ghk9m` → `pod/web`. Nodes without a pool in their name share one template. */
  resource(namespace: string | null, resource: string): string {
    const kind = kindOfResource(resource)
    if (kind === '') return stableMachines(resource)
    if (kind === 'node') return `node/${this.#template(nameOfResource(resource))}`
    const own = nameOfResource(resource)
    const owned = this.#owned.size > 0 ? this.#owned.get(resourceKey(namespace, `${kind}/${own}`)) : undefined
    if (owned !== undefined) return owned
    if (kind !== 'pod') return `${kind}/${stableName(kind, own)}`
    const name = this.#withoutNode(own)
    // A tool made it for a node.
    const isOfNode = name !== own
    if (!isOfNode && this.ownershipOf(namespace, resource) === 'bare') return `pod/${stableMachines(name)}`
    return `pod/${stableName(kind, this.#withoutRevision(name))}${sortOf(own)}`
  }

  /** Whether the resource is a pod that nothing owns. */
  isBare(namespace: string | null, resource: string): boolean {
    return kindOfResource(resource) === 'pod' && this.ownershipOf(namespace, resource) === 'bare'
  }

  /** Whether something owns a pod; undefined if nothing says so. Its name says nothing, but for the hash of a ReplicaSet. */
  ownershipOf(namespace: string | null, resource: string): KnownNames['pods'] {
    const name = nameOfResource(resource)
    if (this.#owned.size > 0 && this.#owned.has(resourceKey(namespace, `pod/${name}`))) return 'owned'
    if (this.bare.size > 0 && this.bare.has(podKey(namespace, resource))) return 'bare'
    if (this.#pods !== undefined || !this.#listed.has(namespace ?? '')) return this.#pods
    const stem = templateName('pod', name)
    const part = name.slice(stem.length + 1)
    // Others may have started after the inventory.
    const isLate = /-/.test(part) || (!/^\d+$/.test(part) && this.#sizes.has(resourceKey(namespace, `pod/${stem}`)))
    return name !== stem && !isLate ? 'bare' : undefined
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
    return resource.startsWith('node/') ? this.#pools.get(resource) : this.#sizes.get(resourceKey(namespace, resource))
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

  /** Tools name an object after its node: a static pod, `crashcollector-NODE`, `node-debugger-NODE-x7k2p`. */
  #withoutNode(name: string): string {
    if (this.#nodes.size === 0) return name
    for (let start = name.indexOf('-'); start > 0; start = name.indexOf('-', start + 1)) {
      const next = name.indexOf('-', start + 1)
      if (!this.#nodeStarts.has(name.slice(start + 1, next < 0 ? undefined : next))) continue
      for (let end = name.length; end > start + 1; end = name.lastIndexOf('-', end - 1))
        if (this.#nodes.has(name.slice(start + 1, end))) return `${name.slice(0, start)}${name.slice(end)}`
    }
    return name
  }
}

/** The names of a stored run. */
export const namesOfRun = (
  format: ReportFormat,
  { places, bare }: { places?: { nodes?: string[] }; bare?: string[] },
  owners?: OwnerLink[],
): ClusterNames => new ClusterNames({ nodes: new Set(places?.nodes), owners, bare, pods: podsOf(format) })

/** Pods of a CronJob, `export-29300000-x7k2p`, are others than those of a Deployment with its name. */
function sortOf(pod: string): string {
  const part = pod.at(-6) === '-' ? pod.slice(pod.lastIndexOf('-', pod.length - 7) + 1, -6) : ''
  return /^(?:[23]\d{7}|1\d{9})$/.test(part) ? ' by time' : ''
}

const revised = /^(.+-\d{1,5})-([a-z0-9]{5})$/

const add = (counts: Map<string, number>, key: string): void =>
  void counts.set(
    key,
    (counts.get(key) ?? 0) + 1,
  ) /** Kinds with a pod template. An operator's resource that owns them may have several. */
const withTemplate = new Set(['statefulset', 'daemonset', 'deployment', 'cronjob', 'rollout'])

/** Kinds whose runs start pods of several templates. */
const withSteps = new Set(['workflow', 'workflowtemplate', 'clusterworkflowtemplate', 'cronworkflow', 'pipeline'])

/** The name of an object that starts with that of a run, such as a workflow, starts with that of the run's top instead. */
function withTop(links: Map<string, string>, namespace: string, { resource, top }: { resource: string; top: string }) {
  const own = nameOfResource(resource)
  let run = ''
  let owner = links.get(resourceKey(namespace, resource))
  for (let i = 0; i < maxLinks && owner !== undefined && owner !== top; i++) {
    if (own.startsWith(`${nameOfResource(owner)}-`)) run = nameOfResource(owner)
    owner = links.get(resourceKey(namespace, owner))
  }
  return run === '' ? own : nameOfResource(top) + own.slice(run.length)
}

/** The first controller with a pod template and a stable name; else the top of the chain. */
function templateOwner(links: Map<string, string>, namespace: string, resource: string): string {
  let owner = resource
  for (let i = 0; i < maxLinks; i++) {
    const kind = kindOfResource(owner)
    if (withTemplate.has(kind) && ownerName(kind, nameOfResource(owner)) === nameOfResource(owner)) break
    const next = links.get(resourceKey(namespace, owner))
    if (next === undefined) break
    owner = next
  }
  return owner
}
