import type { FreshnessItem } from '../contract/freshness.ts'
import { hasState } from '../lifecycle/has-state.ts'
import type { AssessedItem } from './assessed.ts'
import { toItem } from './item.ts'
import type { CatalogFacts } from './prepare-catalog.ts'

/** Items in the contract's form, most urgent first. `explain` adds to each the projects that were considered. */
export function toItems(assessed: AssessedItem[], known: CatalogFacts, explain: boolean): FreshnessItem[] {
  return assessed.map((one) => toItem(one, known, explain)).sort(byUrgency)
}

const statusOrder: FreshnessItem['status'][] = ['major_behind', 'minor_behind', 'unknown', 'up_to_date']

/** Sorts compromised artifacts first; then by status, releases and days behind, and name. Vendor components come last. */
function byUrgency(a: FreshnessItem, b: FreshnessItem) {
  return (
    Number(hasState(b, 'compromised')) - Number(hasState(a, 'compromised')) ||
    Number(a.vendor_component ?? false) - Number(b.vendor_component ?? false) ||
    statusOrder.indexOf(a.status) - statusOrder.indexOf(b.status) ||
    (b.releases_behind ?? -1) - (a.releases_behind ?? -1) ||
    (b.days_behind ?? -1) - (a.days_behind ?? -1) ||
    (a.artifact_key < b.artifact_key ? -1 : a.artifact_key > b.artifact_key ? 1 : 0)
  )
}
