import type { PlaceSets } from './place-sets.ts'

interface Moved {
  /** Numbers of places in the later run. */
  came: number[]
  /** Numbers of places in the earlier run. */
  gone: number[]
}

const none: PlaceSets = { places: [], sets: [], namespaces: [] }

/** How sets of places differ between two runs. The findings of an image share a set, so that each pair of sets is compared once. */
export class PlaceMoves {
  readonly from: PlaceSets
  readonly to: PlaceSets
  readonly #known = new Map<number, Moved>()
  /** Number of a place of one run in the other. */
  readonly #inTo: (number | undefined)[]
  readonly #inFrom: (number | undefined)[]

  constructor(from: PlaceSets = none, to: PlaceSets = none) {
    this.from = from
    this.to = to
    const numbersOf = ({ places }: PlaceSets) => new Map(places.map((key, number) => [key, number]))
    const [before, after] = [numbersOf(from), numbersOf(to)]
    this.#inTo = from.places.map((key) => after.get(key))
    this.#inFrom = to.places.map((key) => before.get(key))
  }

  /** `before` and `after` are numbers of sets. */
  between(before: number, after: number): Moved {
    const key = before * this.to.sets.length + after
    const known = this.#known.get(key) ?? this.#compare(this.from.sets[before] ?? [], this.to.sets[after] ?? [])
    this.#known.set(key, known)
    return known
  }

  #compare(before: number[], after: number[]): Moved {
    const [was, is] = [new Set(before), new Set(after)]
    return {
      came: after.filter((place) => this.#inFrom[place] === undefined || !was.has(this.#inFrom[place])),
      gone: before.filter((place) => this.#inTo[place] === undefined || !is.has(this.#inTo[place])),
    }
  }
}
