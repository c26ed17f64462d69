import type { ReceivedFinding, ReceivedFreshnessItem } from '../contract/received/cluster-report.ts'

export interface FindingProject {
  id: number
  slug: string
}

type Artifact = Pick<ReceivedFreshnessItem, 'artifact_key' | 'workloads' | 'source_product_id' | 'source_product_slug'>

/** The projects that run in the workloads of a finding, or as its image. */
export function projectsOfFinding(
  finding: Pick<ReceivedFinding, 'namespace' | 'resource' | 'workloads'>,
  artifacts: Artifact[],
): FindingProject[] {
  const places = finding.workloads ?? [finding]
  const found = artifacts.flatMap(({ artifact_key, workloads, source_product_id: id, source_product_slug: slug }) => {
    if (id === null || slug === null) return []
    const isImage = finding.resource === `image/${artifact_key}`
    const runsThere = places.some((place) => (workloads ?? []).some((workload) => isOf(place, workload)))
    return isImage || runsThere ? [{ id, slug }] : []
  })
  return [...new Map(found.map((project) => [project.id, project])).values()]
}

/** Kinds of objects that a workload creates, named after it. */
const made = new Set(['pod', 'replicaset', 'job'])

/** Whether the resource belongs to a workload. `workload` is `namespace/kind/name`. */
function isOf(
  { namespace, resource }: { namespace: string | null; resource: string | null },
  workload: string,
): boolean {
  const [space, kind, owner] = workload.toLowerCase().split('/')
  const [ownKind = '', name = ''] = (resource ?? '').toLowerCase().split('/')
  if (!owner || namespace?.toLowerCase() !== space) return false
  return (ownKind === kind && name === owner) || (made.has(ownKind) && name.startsWith(`${owner}-`))
}
