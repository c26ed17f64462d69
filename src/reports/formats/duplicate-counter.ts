/**
 * Numbers findings with the same identity that differ in the report, such as two equal sentences about different lines. The
 * first is 0. Equal findings share a number, so they keep it when lines move.
 */
export class DuplicateCounter {
  readonly #seen = new Map<string, string | Map<string, number>>()

  /** `details`: everything that sets the finding apart in this report. */
  of(identity: string, details: string) {
    const known = this.#seen.get(identity)
    if (known === undefined) {
      this.#seen.set(identity, details)
      return 0
    }
    // Most findings have no duplicate: a map for each would cost more than the rest.
    if (typeof known === 'string') {
      if (known === details) return 0
      this.#seen.set(identity, new Map([known, details].map((entry, i) => [entry, i])))
      return 1
    }
    const number = known.get(details) ?? known.size
    known.set(details, number)
    return number
  }
}
