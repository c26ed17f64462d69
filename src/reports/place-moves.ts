import { remember } from '../util/remember.ts'
import { nodeOfKey, noPlaces, type PlaceSets } from './place-sets.ts'

interface Moved {
  /** Numbers of places in the later run. */
  came: number[]
  /** Numbers of places in the earlier run. */
  gone: number[]
}

/** Nodes that have a finding now and did not in the earlier run, as numbers of places in the later one. */
export interface NodeMoves {
  /** Nodes that were in the cluster, without the finding. */
  known: number[]
  /** Nodes that joined the cluster, unless they may replace nodes that left with this finding. */
  joined: number[]
}

/**
 * Differences between the sets of places of two runs. The findings of an image share a set, so each pair of sets is compared
 * once.
 */
export class PlaceMoves {
  readonly from: PlaceSets
  readonly to: PlaceSets
  readonly #known = new Map<number, Moved>()
  /** Number of a place in the earlier run → its number in the later run. */
  readonly #inTo: (number | undefined)[]
  readonly #inFrom: (number | undefined)[]
  readonly #nodes: { from: Set<string> | undefined; to: Set<string> | undefined }

  constructor(from: PlaceSets = noPlaces, to: PlaceSets = noPlaces) {
    this.from = from
    this.to = to
    this.#nodes = { from: from.nodes && new Set(from.nodes), to: to.nodes && new Set(to.nodes) }
    const toNumbers = ({ places }: PlaceSets) => new Map(places.map((key, number) => [key, number]))
    const [before, after] = [toNumbers(from), toNumbers(to)]
    this.#inTo = from.places.map((key) => after.get(key))
    this.#inFrom = to.places.map((key) => before.get(key))
  }

  /** `before` and `after` are numbers of sets in the two runs. */
  between(before: number, after: number): Moved {
    const key = before * this.to.sets.length + after
    return remember(this.#known, key, () => this.#compare(this.from.sets[before] ?? [], this.to.sets[after] ?? []))
  }

  /** Whether the places of this set of the later run are nodes. */
  areNodes(after: number): boolean {
    const [first] = this.to.sets[after] ?? []
    return first !== undefined && nodeOfKey(this.to.places[first]!) !== undefined
  }

  /** Whether a node has the second finding without having had the first. */
  hasFailing(before: number[] | undefined, after: number[] | undefined): boolean {
    if (!before || !after || after.length === 0 || nodeOfKey(this.to.places[after[0]!]!) === undefined) return false
    const { known, joined } = this.betweenNodes(before, after)
    return known.length + joined.length > 0
  }

  /** Which nodes gained a finding. */
  betweenNodes(before: number[], after: number[]): NodeMoves {
    const { came, gone } = this.#compare(before, after)
    const { from, to } = this.#nodes
    const { true: known = [], false: others = [] } = Object.groupBy(came, (place) =>
      String(from?.has(nodeOfKey(this.to.places[place]!) ?? '') ?? true),
    )
    const left = gone.filter((place) => to?.has(nodeOfKey(this.from.places[place]!) ?? '') === false)
    return { known, joined: others.slice(left.length) }
  }

  #compare(before: number[], after: number[]): Moved {
    const [was, is] = [new Set(before), new Set(after)]
    return {
      came: after.filter((place) => this.#inFrom[place] === undefined || !was.has(this.#inFrom[place])),
      gone: before.filter((place) => this.#inTo[place] === undefined || !is.has(this.#inTo[place])),
    }
  }
}
