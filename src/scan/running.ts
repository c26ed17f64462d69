import { stableName } from '../reports/stable-name.ts'
import type { KubernetesObject, ObjectName } from './kubernetes-object.ts'
import type { Owners } from './owners.ts'

/** `deployment/web` of a namespace, with the names of its containers. */
export type RunningRow = [namespace: string, resource: string, ...containers: string[]]

/** What runs in a cluster, for comparing with what an operator has reported. */
export class Running {
  readonly #owners: Owners
  /** Objects of which something runs, by kind, namespace and full name. */
  readonly #live = new Set<string>()
  /** Without generated parts of names. */
  readonly #containers = new Map<string, Set<string>>()
  /** Tops of chains. */
  readonly #workloads = new Set<string>()

  constructor(owners: Owners) {
    this.#owners = owners
  }

  /** Adds a pod that has not ended, or a CronJob. */
  add({ kind, metadata: { namespace, name }, containers }: KubernetesObject): void {
    const chain = [{ kind, name }, ...this.#owners.chainOf(namespace, { kind, name })]
    this.#workloads.add(`${namespace}\n${resourceOf(chain.at(-1)!)}`)
    for (const link of chain) {
      this.#live.add(`${link.kind}/${namespace}/${link.name}`)
      const place = `${namespace}\n${resourceOf(link)}`
      const known = this.#containers.get(place) ?? new Set()
      this.#containers.set(place, known)
      for (const container of containers) known.add(container.name)
    }
  }

  isLive(namespace: string, { kind, name }: ObjectName): boolean {
    return this.#live.has(`${kind}/${namespace}/${name}`)
  }

  /** `deployment/web`: what a person edits, of any object in its chain. */
  workloadOf(namespace: string, object: ObjectName): string {
    return resourceOf(this.#owners.topOf(namespace, object))
  }

  namespaces(): string[] {
    return [...new Set(this.rows().map(([namespace]) => namespace))]
  }

  /** What persons edit. */
  workloads(): [namespace: string, resource: string][] {
    return [...this.#workloads].map((place) => place.split('\n') as [string, string])
  }

  rows(): RunningRow[] {
    return [...this.#containers].map(([place, containers]) => {
      const [namespace, resource] = place.split('\n') as [string, string]
      return [namespace, resource, ...containers]
    })
  }
}

/** Without generated parts of the name. */
function resourceOf({ kind, name }: ObjectName): string {
  const written = kind.toLowerCase()
  return `${written}/${stableName(written, name)}`
}
