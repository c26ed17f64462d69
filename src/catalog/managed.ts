import type { ManagedFacts } from '../freshness/managed-facts.ts'
import { readManagedFacts } from '../freshness/read-managed-facts.ts'
import { readData } from './read-data.ts'

let facts: ManagedFacts | undefined

/** Components of managed offerings, as bundled with relt: see docs/catalog.md for the sources. */
export function bundledManagedFacts(): ManagedFacts {
  facts ??= readManagedFacts(readData('managed'))
  return facts
}
