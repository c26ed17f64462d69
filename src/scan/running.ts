import { stableName } from '../reports/stable-name.ts'
import type { KubernetesObject, ObjectContainer, ObjectName } from './kubernetes-object.ts'
import type { Owners } from './owners.ts'

/** Namespace, `deployment/web`, and the names of its containers. */
export type RunningRow = [namespace: string, resource: string, ...containers: string[]]

/** A workload that users edit, with the containers that an operator scans. */
export interface RunningWorkload {
  namespace: string
  resource: string
  containers: ObjectContainer[]
}

/** Running workloads of a cluster, to compare with reported ones. */
export class Running {
  readonly #owners: Owners
  /** Kind, namespace and full name of running objects. */
  readonly #live = new Set<string>()
  /** Keyed by workload, without generated parts of names. */
  readonly #containers = new Map<string, Set<string>>()
  /** Containers that an operator scans, by the top of their chain. */
  readonly #workloads = new Map<string, Map<string, ObjectContainer>>()

  constructor(owners: Owners) {
    this.#owners = owners
  }

  /**
   * Adds a running pod, or a CronJob. Operators scan `template`, the containers of the pod's controller; the cluster may
   * have added more to the pod.
   */
  add({ kind, metadata: { namespace, name }, containers }: KubernetesObject, template = containers) {
    const chain = [{ kind, name }, ...this.#owners.chainFor(namespace, { kind, name })]
    const top = `${namespace}\n${toResource(chain.at(-1)!)}`
    const scanned = this.#workloads.get(top) ?? new Map()
    this.#workloads.set(top, scanned)
    for (const container of template) scanned.set(container.name, container)
    for (const link of chain) {
      this.#live.add(`${link.kind}/${namespace}/${link.name}`)
      const place = `${namespace}\n${toResource(link)}`
      const known = this.#containers.get(place) ?? new Set()
      this.#containers.set(place, known)
      for (const container of containers) known.add(container.name)
    }
  }

  isLive(namespace: string, { kind, name }: ObjectName) {
    return this.#live.has(`${kind}/${namespace}/${name}`)
  }

  /** `deployment/web`: the workload that users edit, for any object in its chain. */
  toWorkload(namespace: string, object: ObjectName) {
    return toResource(this.#owners.topOf(namespace, object))
  }

  namespaces(): string[] {
    return [...new Set(this.rows().map(([namespace]) => namespace))]
  }

  /** Workloads that users edit. */
  workloads() {
    return [...this.#workloads].map(([place, containers]) => {
      const [namespace, resource] = place.split('\n') as [string, string]
      return { namespace, resource, containers: [...containers.values()] }
    })
  }

  rows(): RunningRow[] {
    return [...this.#containers].map(([place, containers]) => {
      const [namespace, resource] = place.split('\n') as [string, string]
      return [namespace, resource, ...containers]
    })
  }
}

/** Removes generated parts of the name. */
function toResource({ kind, name }: ObjectName) {
  const written = kind.toLowerCase()
  return `${written}/${stableName(written, name)}`
}
