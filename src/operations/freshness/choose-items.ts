import type { freshnessChoices, freshnessOrders } from '../../contract/choices.ts'
import type { Freshness, FreshnessItem } from '../../contract/freshness.ts'
import { byUrgency, isAffected } from '../../views/artifact.ts'

export interface FreshnessChoice {
  status?: (typeof freshnessChoices)[number] | undefined
  /** Search term: part of an artifact's name. */
  search?: string | undefined
  /** Key of a single artifact. */
  artifact?: string | undefined
  sort?: (typeof freshnessOrders)[number] | undefined
  page?: number | undefined
  /** Undefined: all on one page. */
  per_page?: number | undefined
}

type Chosen = Pick<Freshness, 'page' | 'per_page' | 'total' | 'total_pages' | 'items'>

/** Filters and sorts artifacts as requested. */
export function chooseItems(all: FreshnessItem[], choice: FreshnessChoice): Chosen {
  const { status, search = '', artifact, sort, page = 1, per_page } = choice
  const wanted = search.toLowerCase()
  const chosen = all.filter(
    (item) =>
      (!status || has(item, status)) &&
      (!artifact || item.artifact_key === artifact) &&
      item.display_name.toLowerCase().includes(wanted),
  )
  const items = sort === 'urgency' ? chosen.sort(byUrgency) : chosen
  if (per_page === undefined) return { items }
  const total_pages = Math.ceil(items.length / per_page)
  return {
    page,
    per_page,
    total: items.length,
    total_pages,
    items: items.slice((page - 1) * per_page, page * per_page),
  }
}

function has(item: FreshnessItem, status: NonNullable<FreshnessChoice['status']>): boolean {
  if (status === 'affected') return isAffected(item)
  if (status === 'out_of_support') return item.eol?.is_eol === true
  return status === (item.vendor_component ? 'managed' : item.status)
}
