import { remember } from '../util/remember.ts'
import type { CatalogFacts } from './prepare-catalog.ts'

/** Cache per catalog: a fleet runs the same few charts, repositories and versions in many clusters. */
export class PerCatalog<V> {
  readonly #byCatalog = new WeakMap<CatalogFacts, Map<string, V>>()

  find(known: CatalogFacts, key: string, search: () => V) {
    return remember(
      remember(this.#byCatalog, known, () => new Map<string, V>()),
      key,
      search,
    )
  }
}
