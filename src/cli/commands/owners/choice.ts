import type { RouteCaller } from '../../../client/client.ts'
import type { OwnerLabel } from '../../../contract/ownership.ts'
import type { ReceivedFreshnessItem } from '../../../contract/received/cluster-report.ts'
import { type ArtifactPlace, ownersOfPlaces } from '../../../reports/artifact-owners.ts'
import { Ownership } from '../../../reports/ownership.ts'
import { isOwnedBy } from '../../../reports/record-owners.ts'

interface Place {
  cluster_name: string
  environment: string
}

/** Returns the owners of the workloads that run an artifact; maybe none. */
type OwnersOf = (item: ReceivedFreshnessItem, place: Place) => string[]

/** Returns the owners named by labels in a cluster. */
export type LabelsOf = (place: Place) => OwnerLabel[] | undefined

export async function loadOwners(client: RouteCaller, labelsFor: LabelsOf): Promise<OwnersOf> {
  const ownership = new Ownership((await client.call('getOwners', {})).owners)
  const clusters = new Map<string, ReturnType<Ownership['in']>>()
  return (item, place) => {
    const key = `${place.cluster_name}\n${place.environment}`
    const own = clusters.get(key) ?? ownership.in(place, { ownerLabels: labelsFor(place) })
    clusters.set(key, own)
    return ownersOfPlaces(own, placesFor(item))
  }
}

/** Returns a filter by owner. Throws `usage` if the server has no owners. Undefined: no filter is set. */
export async function ownedBy(
  client: RouteCaller,
  wanted: string | undefined,
  labelsFor: LabelsOf,
): Promise<(item: ReceivedFreshnessItem, place: Place) => boolean> {
  if (wanted === undefined) return () => true
  const ownersFor = await loadOwners(client, labelsFor)
  return (item, place) =>
    isOwnedBy(
      ownersFor(item, place).map((owner) => ({ owner })),
      wanted,
    )
}

/** A workload is `namespace/kind/name`. */
function placesFor({ namespace, workloads }: ReceivedFreshnessItem): ArtifactPlace[] {
  const places = (workloads ?? []).map((workload): ArtifactPlace => {
    const at = workload.indexOf('/')
    return { namespace: workload.slice(0, at), workload: workload.slice(at + 1) }
  })
  return places.length > 0 ? places : [{ namespace: namespace ?? null, workload: null }]
}
