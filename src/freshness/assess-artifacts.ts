import type { Artifacts } from '../reports/artifact.ts'
import { withOwners } from '../reports/owners.ts'
import { assessApps } from './assess-apps.ts'
import { assessCharts } from './assess-charts.ts'
import { assessImages } from './assess-images.ts'
import { assessKubernetes } from './assess-kubernetes.ts'
import type { Assessed } from './assessed.ts'
import { inheritFromCharts } from './inherit.ts'
import { markManaged } from './mark-managed.ts'
import type { Known } from './prepare-catalog.ts'

/** Everything that runs in one cluster, each with its project and how it stands. */
export function assessArtifacts(reported: Artifacts, known: Known): Assessed[] {
  const artifacts = withOwners(reported)
  const images = assessImages(artifacts, known)
  const charts = assessCharts(artifacts, images, known)
  const apps = assessApps(artifacts, [...images, ...charts], known)
  return [
    ...markManaged(inheritFromCharts(images, charts), artifacts, known),
    ...charts,
    ...apps,
    ...assessKubernetes(artifacts.kubernetesVersion, known),
  ]
}
