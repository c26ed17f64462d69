import { placeOfKey } from './place-sets.ts'
import type { ReportedCoverage } from './read.ts'

/**
 * Whether operator reports of a run cover a place: `reported`; `missing` if a workload runs there, or may run there;
 * `absent` if nothing runs there.
 */
export type ReportState = 'reported' | 'missing' | 'absent'

/** Kinds of objects that inventories list. Whether, for example, a Service still exists is unknown. */
const listedKinds = ['deployment', 'statefulset', 'daemonset', 'replicaset', 'cronjob', 'job', 'pod']

const toKind = (resource: string): string => resource.slice(0, resource.indexOf('/'))

/** Which places have an operator report in a run, and which lack one. */
export class Reported {
  readonly #reported: Map<string, Set<string>>
  /** Containers by namespace and resource. */
  readonly #running: Map<string, Set<string>> | null
  readonly #kinds: Set<string>

  constructor({ reported, running }: ReportedCoverage) {
    this.#reported = new Map(reported.map(([category, places]) => [category, new Set(places)]))
    this.#running =
      running && new Map(running.map(([namespace, resource, ...rest]) => [`${namespace}\n${resource}`, new Set(rest)]))
    this.#kinds = new Set([...listedKinds, ...(running ?? []).map(([, resource]) => toKind(resource))])
  }

  /** Keys of places with a report of checks in this category. */
  placesFor(category: string): Set<string> {
    return this.#reported.get(category) ?? this.#reported.get('*') ?? new Set()
  }

  categories(): string[] {
    return [...this.#reported.keys()]
  }

  /** Reports of checks in this category are per container. */
  isPerContainer(category: string): boolean {
    for (const key of this.placesFor(category)) return !key.endsWith('\n')
    return false
  }

  /** `key`: see `keyOfPlace`. `toKinds`: another run whose kinds of workloads also count as known. */
  toState(category: string, key: string, toKinds?: Reported): ReportState {
    if (this.placesFor(category).has(key)) return 'reported'
    if (this.#running === null) return 'missing'
    const { namespace, resource, container } = placeOfKey(key)
    const containers = this.#running.get(`${namespace}\n${resource}`)
    if (containers) return container === undefined || containers.has(container) ? 'missing' : 'absent'
    const kind = toKind(resource)
    return this.lists(kind) || toKinds?.lists(kind) ? 'absent' : 'missing'
  }

  /** All running objects of this kind are known. */
  lists(kind: string): boolean {
    return this.#kinds.has(kind)
  }
}
