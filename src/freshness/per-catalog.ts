import type { CatalogFacts } from './prepare-catalog.ts'

/** Cache per catalog: a fleet runs the same few charts, repositories and versions in many clusters. */
export class PerCatalog<V> {
  readonly #byCatalog = new WeakMap<CatalogFacts, Map<string, V>>()

  find(known: CatalogFacts, key: string, search: () => V): V {
    const found = this.#byCatalog.get(known) ?? new Map<string, V>()
    this.#byCatalog.set(known, found)
    if (!found.has(key)) found.set(key, search())
    return found.get(key) as V
  }
}
