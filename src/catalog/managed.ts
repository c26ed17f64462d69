import { readManagedFacts } from '../freshness/read-managed-facts.ts'
import { perBundle } from './bundle.ts'

/** Components of managed offerings: see docs/catalog.md for the sources. */
export const managedFacts = perBundle(({ read }) => readManagedFacts(read('managed')))
