import type { ClusterComparison, ClusterDifference, ClusterVersion, ClusterVersions } from '../../contract/cluster.ts'
import type { Db } from '../../db/open.ts'
import { compareVersions, parseVersion } from '../../freshness/versions.ts'
import { getProjectVersion } from '../../store/catalog/project.ts'
import { listProjectFacts } from '../../store/catalog/project-facts.ts'
import { type ClusterFigures, listClusterFigures } from '../../store/fleet/figures.ts'
import { listRunningParts, type RunningPart } from '../../store/fleet/summary.ts'
import { remember } from '../../util/remember.ts'
import { formatTimestamp } from '../../util/time.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import type { Asking } from '../findings/accepting.ts'
import { compare } from '../findings/candidates.ts'
import { findRunning, openRunning, type RunningArtifact, type RunningProject, readRunning } from './running-versions.ts'

/** A project's versions in all clusters, most outdated first. Throws `not_found` for an unknown project. */
export async function listVersions(
  db: Db,
  projectId: number,
  { ownerId, vault, now }: Asking,
): Promise<ClusterVersions> {
  const clusters = await listClusterFigures(db, { ownerId, isBrief: true }, now)
  const product = await getProjectVersion(db, projectId)
  const [facts] = await listProjectFacts(db, [projectId])
  const parts = await listRunningParts(db, { ownerId }, 0)
  const opened = parts.length > 0 ? await vault() : undefined
  const byId = new Map(clusters.map((cluster) => [cluster.id, cluster]))
  const items: ClusterVersion[] = []
  const running = new Set<number>()
  for (const part of parts) {
    const project = findRunning(openRunning(opened!, part, 0), projectId)
    const cluster = byId.get(part.clusterId)
    if (!project || !cluster) continue
    running.add(part.clusterId)
    for (const artifact of project.artifacts) items.push(toVersion(cluster, part, artifact))
  }
  const withInventory = clusters.filter(({ summary }) => (summary?.artifacts ?? 0) > 0)
  return {
    success: true,
    product,
    summary: {
      clusters: clusters.length,
      running: running.size,
      with_inventory: withInventory.length,
      pending: clusters.filter(({ isCurrent }) => !isCurrent).length,
    },
    catalog_date: facts!.knownUntil ?? (await getCatalogDate(db, now)),
    unknown: clusters.filter(({ summary }) => (summary?.artifacts ?? 0) === 0).map(placeFor),
    items: items.sort(furthestBehindFirst),
  }
}

const placeFor = ({ publicId, name, environment }: ClusterFigures) => ({
  cluster_id: publicId,
  cluster_name: name,
  environment,
})

function toVersion(cluster: ClusterFigures, { runId, at }: RunningPart, artifact: RunningArtifact): ClusterVersion {
  return {
    ...placeFor(cluster),
    run_id: runId,
    seen_at: formatTimestamp(at),
    artifact_type: artifact.type,
    name: artifact.name,
    version: artifact.version,
    status: artifact.status,
    releases_behind: artifact.releasesBehind,
    days_behind: artifact.daysBehind,
    states: artifact.states,
    step: artifact.step,
    count: artifact.count,
  }
}

/** Unrated versions sort last. */
function furthestBehindFirst(a: ClusterVersion, b: ClusterVersion) {
  return (
    (b.releases_behind ?? -1) - (a.releases_behind ?? -1) ||
    (b.days_behind ?? -1) - (a.days_behind ?? -1) ||
    compare(a.cluster_name, b.cluster_name) ||
    compare(a.environment, b.environment) ||
    compare(a.name, b.name)
  )
}

/** Compares the software of two clusters: known projects, and unknown images and charts. */
export async function compareClusters(
  db: Db,
  { from, to }: { from: ClusterFigures; to: ClusterFigures },
  { ownerId, vault }: Omit<Asking, 'now'>,
): Promise<ClusterComparison> {
  const clusterIds = [from.id, to.id]
  const sides = new Map<number, { part: RunningPart; projects: RunningProject[] }>()
  for (const number of [0, 1] as const) {
    for (const part of await listRunningParts(db, { ownerId, clusterIds }, number)) {
      const side = remember(sides, part.clusterId, () => ({ part, projects: [] }))
      side.projects.push(...readRunning(openRunning(await vault(), part, number)))
    }
  }
  const of = (cluster: ClusterFigures) => {
    const part = sides.get(cluster.id)?.part
    return { ...placeFor(cluster), run_id: part?.runId ?? null, seen_at: part ? formatTimestamp(part.at) : null }
  }
  const items = differences(sides.get(from.id)?.projects ?? [], sides.get(to.id)?.projects ?? [])
  return {
    success: true,
    from: of(from),
    to: of(to),
    summary: Object.fromEntries(
      [...Map.groupBy(items, ({ difference }) => difference)].map(([difference, group]) => [difference, group.length]),
    ),
    pending: [from, to].filter(({ isCurrent }) => !isCurrent).length,
    items,
  }
}

function differences(from: RunningProject[], to: RunningProject[]): ClusterDifference[] {
  const [before, after] = [versionsByProject(from), versionsByProject(to)]
  const keys = [...new Set([...before.keys(), ...after.keys()])]
  const items = keys.map((key): ClusterDifference => {
    const [mine, theirs] = [before.get(key), after.get(key)]
    const { projectId, name, type } = (mine ?? theirs)!
    const versions = { from: mine?.versions ?? [], to: theirs?.versions ?? [] }
    return { product_id: projectId, name, artifact_type: type, ...versions, difference: differenceOf(mine, theirs) }
  })
  return items.sort(
    (a, b) =>
      Number(a.difference === 'same') - Number(b.difference === 'same') ||
      Number(a.product_id === null) - Number(b.product_id === null) ||
      compare(a.name, b.name) ||
      compare(a.artifact_type, b.artifact_type),
  )
}

interface ProjectVersions {
  projectId: number | null
  name: string
  type: ClusterDifference['artifact_type']
  /** Distinct versions in ascending order. */
  versions: string[]
}

function versionsByProject(projects: RunningProject[]) {
  const found = new Map<string, ProjectVersions>()
  for (const { projectId, name, artifacts } of projects) {
    for (const artifact of artifacts) {
      const type = artifact.type === 'helm_chart' ? 'helm_chart' : 'app'
      const key = `${type} ${projectId ?? ''} ${projectId === null ? name : ''}`
      const entry = remember(found, key, (): ProjectVersions => ({ projectId, name, type, versions: [] }))
      entry.versions.push(artifact.version ?? 'unknown')
    }
  }
  for (const entry of found.values()) entry.versions = [...new Set(entry.versions)].sort(oldestFirst)
  return found
}

function differenceOf(from?: ProjectVersions, to?: ProjectVersions): ClusterDifference['difference'] {
  if (!to) return 'only_from'
  if (!from) return 'only_to'
  if (from.versions.join('\n') === to.versions.join('\n')) return 'same'
  // Compares the oldest version of each cluster.
  const order = orderOf(from.versions[0]!, to.versions[0]!) || orderOf(from.versions.at(-1)!, to.versions.at(-1)!)
  if (!order) return 'other'
  return order < 0 ? 'from_behind' : 'to_behind'
}

/** Undefined if either is not a version. */
function orderOf(a: string, b: string) {
  const [first, second] = [parseVersion(a), parseVersion(b)]
  return first && second && compareVersions(first, second)
}

const oldestFirst = (a: string, b: string) => orderOf(a, b) || compare(a, b)
