import type { Artifacts } from './artifact.ts'
import type { ClusterOwnership, Ownership } from './ownership.ts'

export interface ArtifactPlace {
  namespace: string | null
  /** `kind/name`; null: an artifact of the namespace, such as a chart. */
  workload: string | null
}

/** Who owns what runs in some places of a cluster, sorted. Undefined where neither rules nor labels name an owner. */
export function artifactOwners(
  ownership: Ownership,
  cluster: { cluster_name: string; environment: string },
  { owners, ownerLabels = [] }: Pick<Artifacts, 'owners' | 'ownerLabels'>,
): ((places: readonly ArtifactPlace[]) => string[]) | undefined {
  if (ownership.isEmpty && ownerLabels.length === 0) return undefined
  const own = ownership.in(cluster, { owners, ownerLabels })
  return (places) => ownersOfPlaces(own, places)
}

/** Each owner once. */
export function ownersOfPlaces(own: ClusterOwnership, places: readonly ArtifactPlace[]): string[] {
  const names = places.flatMap(({ namespace, workload }) => own.of(namespace, workload)?.owner ?? [])
  return [...new Set(names)].sort()
}
