/** A cache of recently used values, limited by their total weight. */
export class RecentValues<V> {
  readonly #maxWeight: number
  readonly #values = new Map<string, { value: V; weight: number }>()
  #weight = 0

  constructor(maxWeight: number) {
    this.#maxWeight = maxWeight
  }

  get size() {
    return this.#values.size
  }

  has(key: string) {
    return this.#values.has(key)
  }

  get(key: string) {
    const found = this.#values.get(key)
    if (!found) return undefined
    this.#values.delete(key)
    this.#values.set(key, found)
    return found.value
  }

  set(key: string, value: V, weight = 1) {
    this.#remove(key)
    this.#values.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#maxWeight) return
      this.#remove(oldest)
    }
  }

  #remove(key: string) {
    this.#weight -= this.#values.get(key)?.weight ?? 0
    this.#values.delete(key)
  }
}
