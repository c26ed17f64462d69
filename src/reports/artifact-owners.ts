import type { Artifacts } from './artifact.ts'
import type { ClusterOwnership, Ownership } from './ownership.ts'

export interface ArtifactPlace {
  namespace: string | null
  /** `kind/name`; null for an artifact of the namespace, such as a chart. */
  workload: string | null
}

/** Owners of workloads at these places of a cluster, sorted. Undefined if neither rules nor labels name an owner. */
export function artifactOwners(
  ownership: Ownership,
  cluster: { cluster_name: string; environment: string },
  { owners, ownerLabels = [] }: Pick<Artifacts, 'owners' | 'ownerLabels'>,
): ((places: readonly ArtifactPlace[]) => string[]) | undefined {
  if (ownership.isEmpty && ownerLabels.length === 0) return undefined
  const own = ownership.in(cluster, { owners, ownerLabels })
  return (places) => ownersOfPlaces(own, places)
}

/** Merges the owners of several places, each owner once. */
export function ownersOfPlaces(own: ClusterOwnership, places: readonly ArtifactPlace[]): string[] {
  const names = places.flatMap(({ namespace, workload }) => own.of(namespace, workload)?.owner ?? [])
  return [...new Set(names)].sort()
}
