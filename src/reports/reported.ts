import { placeOfKey } from './place-sets.ts'
import type { ReportedCoverage } from './read.ts'

/**
 * Whether a run of an operator's reports has one about a place: `reported`; `missing`, if it has none although something runs there,
 * or may run there; `absent`, if nothing runs there.
 */
export type ReportState = 'reported' | 'missing' | 'absent'

/** Kinds whose objects an inventory lists. Whether a Service still exists is not known. */
const listedKinds = ['deployment', 'statefulset', 'daemonset', 'replicaset', 'cronjob', 'job', 'pod']

const toKind = (resource: string): string => resource.slice(0, resource.indexOf('/'))

/** What a run knows about missing reports. */
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

  /** What runs could be read. */
  get isChecked(): boolean {
    return this.#running !== null
  }

  /** Keys of places with a report of these checks. */
  placesFor(category: string): Set<string> {
    return this.#reported.get(category) ?? this.#reported.get('*') ?? new Set()
  }

  categories(): string[] {
    return [...this.#reported.keys()]
  }

  /** Reports of these checks are about containers. */
  isPerContainer(category: string): boolean {
    for (const key of this.placesFor(category)) return !key.endsWith('\n')
    return false
  }

  /** `key` is that of a place; `toKinds` another run, whose kinds of workloads are known, too. */
  toState(category: string, key: string, toKinds?: Reported): ReportState {
    if (this.placesFor(category).has(key)) return 'reported'
    if (this.#running === null) return 'missing'
    const { namespace, resource, container } = placeOfKey(key)
    const containers = this.#running.get(`${namespace}\n${resource}`)
    if (containers) return container === undefined || containers.has(container) ? 'missing' : 'absent'
    const kind = toKind(resource)
    return this.lists(kind) || toKinds?.lists(kind) ? 'absent' : 'missing'
  }

  /** Its running objects are all known. */
  lists(kind: string): boolean {
    return this.#kinds.has(kind)
  }
}
