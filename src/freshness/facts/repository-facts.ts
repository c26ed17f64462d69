import type { RepositoryFact } from '../../contract/state-facts.ts'
import { firstDay } from './day.ts'

const mostMoves = 8

/** Facts about image repositories and chart URLs. */
export class RepositoryFacts {
  readonly #byAddress = new Map<string, RepositoryFact>()

  /** Later facts about the same place replace earlier ones. */
  constructor(facts: readonly RepositoryFact[]) {
    for (const fact of facts) this.#byAddress.set(toKey(fact.repository, fact.chart), fact)
  }

  /**
   * The location of the next versions of an image or chart, and the facts about its moves, from the running location on.
   * The address is undefined if no known location gets new versions. `chart` is the name of the chart at a chart URL.
   */
  placeFor(address: string, today: string, chart?: string) {
    const facts: RepositoryFact[] = []
    let at: string | undefined = address
    while (at !== undefined && facts.length < mostMoves) {
      const found = this.#find(at, today, chart)
      if (!found || found.fact.state === 'open' || facts.includes(found.fact)) break
      facts.push(found.fact)
      if (found.fact.state === 'paid') break
      at = found.fact.moved_to === undefined ? undefined : found.fact.moved_to + found.below
    }
    return { address: at, facts }
  }

  #find(address: string, today: string, chart: string | undefined) {
    for (let end = address.length; end > 0; end = address.lastIndexOf('/', end - 1)) {
      const beginning = address.slice(0, end)
      const fact =
        (chart === undefined ? undefined : this.#byAddress.get(toKey(beginning, chart))) ??
        this.#byAddress.get(toKey(beginning, undefined))
      if (fact && (fact.since === undefined || firstDay(fact.since) <= today)) {
        return { fact, below: fact.chart === undefined ? address.slice(end) : '' }
      }
    }
    return undefined
  }
}

const toKey = (address: string, chart: string | undefined) => `${address.replace(/\/+$/, '')} ${chart ?? ''}`
