import type { Freshness, FreshnessItem } from '../../contract/freshness.ts'
import type { Db } from '../../db/open.ts'
import {
  assessArtifacts,
  type CatalogFacts,
  CoverageCount,
  knownBy,
  type LookupKeys,
  lookupKeys,
  prepareCatalog,
  toItems,
} from '../../freshness/index.ts'
import type { StoredRun } from '../../store/runs/run.ts'
import { countItems } from '../../views/freshness-counts.ts'
import { findCatalog } from '../catalog/view.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from '../runs/context.ts'
import { chooseItems, type FreshnessChoice } from './choose-items.ts'
import { KeptByCatalog } from './kept-by-catalog.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { findScannedImages } from './scanned-advisories.ts'

interface Options {
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
  explain: boolean
  /** Unix seconds: later releases do not count. */
  asOf?: number | undefined
  choice: FreshnessChoice
}

/** Assesses the artifacts of a run against the present catalog, or against the catalog as of another time. */
export async function assessRun(db: Db, stored: StoredRun, options: Options): Promise<Freshness> {
  const { id, run } = stored
  const { vault, now, explain, asOf, choice } = options
  const { artifacts } = await openContext(db, await vault(), id, run.run_id)
  const known = await findFacts(db, lookupKeys(artifacts), { now, asOf })
  const assessed = assessArtifacts(artifacts, known)
  const scanned = await findScannedImages(db, stored, await vault())
  const assessedItems = toItems(assessed, known, explain)
  const items = scanned ? scanned.mark(assessedItems) : assessedItems
  return {
    success: true,
    run_id: run.run_id,
    processing_status: 'ready',
    catalog_date: oldestFacts(items) ?? known.date,
    summary: countItems(items),
    coverage: { ...new CoverageCount().add(assessed).result(), ...(artifacts.gaps && { gaps: artifacts.gaps }) },
    ...chooseItems(items, choice),
  }
}

/** The pages and answers of a run ask for the same facts one after the other. */
const kept = new KeptByCatalog<CatalogFacts>(4)

async function findFacts(db: Db, keys: LookupKeys, { now, asOf }: Pick<Options, 'now' | 'asOf'>) {
  const find = () => findCatalog(db, keys, now, findKnownAdvisories)
  if (asOf !== undefined) return prepareCatalog(knownBy(asOf, await find()), asOf)
  return kept.get(db, { key: JSON.stringify(keys), now }, async () => prepareCatalog(await find(), now))
}

/** Day of the oldest of what is known of the projects that run. */
function oldestFacts(items: FreshnessItem[]): string | undefined {
  const known = items.filter(({ source_product_id }) => source_product_id !== null)
  return known.flatMap(({ catalog_date }) => catalog_date ?? []).sort()[0]
}
