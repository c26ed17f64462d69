import type { Artifacts } from '../reports/artifact.ts'
import { withOwners } from '../reports/owners.ts'
import { assessApps } from './assess-apps.ts'
import { assessCharts } from './assess-charts.ts'
import { assessImages } from './assess-images.ts'
import { assessKubernetes } from './assess-kubernetes.ts'
import { markDrifted } from './assess-wanted.ts'
import type { AssessedItem } from './assessed.ts'
import { inheritFromCharts } from './inherit.ts'
import { markManaged, markManagedCharts } from './mark-managed.ts'
import type { CatalogFacts } from './prepare-catalog.ts'

/** All artifacts of one cluster, each with its project and verdict. */
export function assessArtifacts(reported: Artifacts, known: CatalogFacts): AssessedItem[] {
  const artifacts = withOwners(reported)
  const images = assessImages(artifacts, known)
  const charts = markDrifted(assessCharts(artifacts, images, known), artifacts)
  const apps = assessApps(artifacts, { images, charts }, known)
  return [
    ...markManaged(inheritFromCharts(images, charts), artifacts, known),
    ...markManagedCharts(charts, known),
    ...apps,
    ...assessKubernetes(artifacts, known),
  ]
}
