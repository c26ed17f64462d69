import type { FreshnessItem } from '../contract/freshness.ts'
import type { Artifacts } from '../reports/artifact.ts'
import { hasState } from '../views/state.ts'
import { assessArtifacts } from './assess-artifacts.ts'
import type { AssessedItem } from './assessed.ts'
import type { CatalogView } from './catalog-view.ts'
import { toItem } from './item.ts'
import { type CatalogFacts, prepareCatalog } from './prepare-catalog.ts'

export interface FreshnessOptions {
  /** Unix seconds, for the age of the catalog. */
  now: number
  /** Adds to each item the projects that were considered. */
  explain?: boolean
}

/** Assesses artifacts against the catalog's releases, sorted by urgency. */
export function assessFreshness(
  artifacts: Artifacts,
  catalog: CatalogView,
  options: FreshnessOptions,
): FreshnessItem[] {
  const known = prepareCatalog(catalog, options.now)
  return toItems(assessArtifacts(artifacts, known), known, options.explain ?? false)
}

/** Items in the contract's form, most urgent first. */
export function toItems(assessed: AssessedItem[], known: CatalogFacts, explain: boolean): FreshnessItem[] {
  return assessed.map((one) => toItem(one, known, explain)).sort(byUrgency)
}

const statusOrder: FreshnessItem['status'][] = ['major_behind', 'minor_behind', 'unknown', 'up_to_date']

/** Sorts compromised artifacts first; then by status, releases and days behind, and name. Vendor components come last. */
function byUrgency(a: FreshnessItem, b: FreshnessItem): number {
  return (
    Number(hasState(b, 'compromised')) - Number(hasState(a, 'compromised')) ||
    Number(a.vendor_component ?? false) - Number(b.vendor_component ?? false) ||
    statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status) ||
    (b.releases_behind ?? -1) - (a.releases_behind ?? -1) ||
    (b.days_behind ?? -1) - (a.days_behind ?? -1) ||
    (a.artifact_key < b.artifact_key ? -1 : a.artifact_key > b.artifact_key ? 1 : 0)
  )
}
