import { remember } from '../util/remember.ts'
import { namespaceAt, placesAt } from './finding-records.ts'

/** A container of a workload. */
export interface WorkloadPlace {
  namespace: string
  /** `deployment/web`. */
  resource: string
  container?: string | undefined
}

/** Places of findings about something in many places. Findings of one image share a set. */
export interface PlaceSets {
  /** Keys of places; see `keyOfPlace`. */
  places: string[]
  /** Sets of places: numbers in ascending order. */
  sets: number[][]
  /** Numbers of the namespaces of each set, as in records. */
  namespaces: number[][]
  /** Names of all nodes of the cluster. Absent if the report does not list them. */
  nodes?: string[]
}

/** Numbers of the namespaces of a record's finding; 0: none. */
export function namespacesAt(
  records: Buffer,
  at: number,
  sets: Pick<PlaceSets, 'namespaces'> | undefined,
): readonly number[] {
  const set = placesAt(records, at)
  return set === undefined ? [namespaceAt(records, at)] : (sets?.namespaces[set] ?? [0])
}

/** Key of a place: namespace, resource and container, one per line. */
export const keyOfPlace = ({ namespace, resource, container = '' }: WorkloadPlace): string =>
  `${namespace}\n${resource}\n${container}`

export function placeOfKey(key: string): WorkloadPlace {
  const [namespace = '', resource = '', container = ''] = key.split('\n')
  return { namespace, resource, ...(container && { container }) }
}

export const noPlaces: PlaceSets = { places: [], sets: [], namespaces: [] }

const nodePrefix = 'node/'

/** The node name in the key of a place. */
export function nodeOfKey(key: string): string | undefined {
  const { resource, container } = placeOfKey(key)
  return container === undefined && resource.startsWith(nodePrefix) ? resource.slice(nodePrefix.length) : undefined
}

/** Collects which findings are in which groups of places. */
export class PlaceSetsBuilder {
  readonly #places = new Map<string, number>()
  readonly #groups: number[][] = []
  readonly #ofNodes = new Map<string, number>()
  readonly #nodeGroups = new Set<number>()
  /** Numbers of a finding and a group, alternating. */
  #pairs = new Uint32Array(1024)
  #length = 0

  addGroup(places: WorkloadPlace[]): number {
    const numbers = places.map((place) => remember(this.#places, keyOfPlace(place), () => this.#places.size))
    return this.#groups.push(numbers) - 1
  }

  /** Returns the number of the group for a node; `resource` names it. */
  addNode(resource: string): number {
    // `Nodes/a` → `node/a`
    const node = `${nodePrefix}${resource.slice(resource.indexOf('/') + 1)}`
    return remember(this.#ofNodes, node, () => {
      const group = this.addGroup([{ namespace: '', resource: node }])
      this.#nodeGroups.add(group)
      return group
    })
  }

  /** Names of the nodes that were added. */
  nodes(): string[] {
    return [...this.#ofNodes.keys()].map((node) => node.slice(nodePrefix.length))
  }

  add(finding: number, group: number): void {
    if (this.#length === this.#pairs.length) {
      const larger = new Uint32Array(2 * this.#length)
      larger.set(this.#pairs)
      this.#pairs = larger
    }
    this.#pairs[this.#length++] = finding
    this.#pairs[this.#length++] = group
  }

  /**
   * Calls `onFinding` for each finding with the number of its set and the number of places, unless they are nodes. Returns
   * undefined without a group.
   */
  finish(
    toNumber: (namespace: string) => number,
    onFinding: (finding: number, set: number, count: number | undefined) => void,
  ): PlaceSets | undefined {
    if (this.#groups.length === 0) return undefined
    const sets: number[][] = []
    const known = new Map<string, number>()
    for (const [finding, groups] of this.#toGroups().entries()) {
      if (groups === undefined) continue
      const set = remember(known, String(groups), () => sets.push(this.#union(groups)) - 1)
      const isOfNodes = this.#nodeGroups.has(typeof groups === 'number' ? groups : groups[0]!)
      onFinding(finding, set, isOfNodes ? undefined : sets[set]!.length)
    }
    const places = [...this.#places.keys()]
    const ofPlace = places.map((key) => toNumber(placeOfKey(key).namespace))
    return { places, sets, namespaces: sets.map((set) => [...new Set(set.map((place) => ofPlace[place]!))]) }
  }

  /** Groups by number of finding. Most are in one group, and a list for each would cost more than the rest. */
  #toGroups(): (number | number[] | undefined)[] {
    const toGroups: (number | number[] | undefined)[] = []
    for (let at = 0; at < this.#length; at += 2) {
      const [finding, group] = [this.#pairs[at]!, this.#pairs[at + 1]!]
      const known = toGroups[finding]
      if (known === undefined) toGroups[finding] = group
      else if (typeof known === 'number') toGroups[finding] = known === group ? known : [known, group]
      else if (!known.includes(group)) known.push(group)
    }
    return toGroups
  }

  #union(groups: number | number[]): number[] {
    const numbers = [groups].flat().flatMap((group) => this.#groups[group]!)
    return [...new Set(numbers)].sort((a, b) => a - b)
  }
}
