import type { FreshnessItem } from '../../src/contract/freshness.ts'
import type { CatalogView } from '../../src/freshness/catalog-view.ts'
import { assessArtifacts, prepareCatalog, toItems } from '../../src/freshness/index.ts'
import type { Artifacts } from '../../src/reports/artifact.ts'

/** Items of artifacts, compared with the releases of a catalog. */
export function assessFreshness(
  artifacts: Artifacts,
  catalog: CatalogView,
  { now, explain = false }: { now: number; explain?: boolean },
): FreshnessItem[] {
  const known = prepareCatalog(catalog, now)
  return toItems(assessArtifacts(artifacts, known), known, explain)
}
