import type { Db } from '../../db/open.ts'
import type { KnownProject } from '../../freshness/catalog-view.ts'
import { type AssessedItem, type CoverageState, createJudge, prepareCatalog } from '../../freshness/index.ts'
import { workloadsFor } from '../../freshness/workloads.ts'
import { findKnownProjectsById } from '../../store/catalog/project.ts'
import { type InventoryRun, listLatestRuns } from '../../store/runs/latest-run.ts'
import { remember } from '../../util/remember.ts'
import { formatTimestamp } from '../../util/time.ts'
import { type FindAdvisories, toView } from '../catalog/view.ts'
import type { Asking } from '../findings/accepting.ts'
import { findDistributions } from './distributions.ts'
import { keptByCatalog } from './kept-by-catalog.ts'
import { findKnownAdvisories, withoutAdvisories } from './known-advisories.ts'
import { findAssessments, type RunAssessment, toFoundArtifacts } from './run-assessment.ts'

export interface RunningQuery extends Asking {
  /** Only this cluster and environment. */
  clusterName?: string | undefined
  environment?: string | undefined
}

export interface AssessedRun {
  run: InventoryRun['run']
  /** Time of the scan, in the wire's format. */
  seenAt: string
  /** Coverage of all its artifacts. */
  coverage: CoverageState
  affected: RunAssessment['affected']
  /** Projects of all its artifacts. */
  projectIds: number[]
  /** Artifacts of the requested projects. */
  assessed: AssessedItem[]
}

export interface RunningArtifacts {
  catalogDate: string
  /** Number of runs. */
  count: number
  /** Assessed lazily: all together would not fit in memory. */
  runs: Iterable<AssessedRun>
}

interface Wanted {
  /** Projects whose artifacts are assessed; all if absent. */
  projectIds?: Iterable<number> | undefined
  findAdvisories?: FindAdvisories
}

/** Artifacts in the latest run of each of the owner's clusters, assessed against the current catalog. */
export async function findRunningArtifacts(
  db: Db,
  { ownerId, clusterName, environment, vault, now }: RunningQuery,
  { projectIds, findAdvisories = withoutAdvisories }: Wanted,
): Promise<RunningArtifacts> {
  const stored = (await listLatestRuns(db, ownerId)).filter(
    ({ run }) =>
      (clusterName ?? run.cluster_name) === run.cluster_name && (environment ?? run.environment) === run.environment,
  )
  const assessments = await findAssessments(db, stored, { vault, now })
  const running = new Set(assessments.flatMap(({ artifacts }) => Object.keys(artifacts).map(Number)))
  const wanted = projectIds ? (await withKubernetes(db, projectIds)).intersection(running) : running
  const catalog = await findKeptCatalog(db, [...wanted], { now, findAdvisories })
  return { catalogDate: catalog.date, count: stored.length, runs: assessEach() }

  function* assessEach(): Generator<AssessedRun> {
    for (const [index, { run, at }] of stored.entries()) {
      const assessment = assessments[index]!
      const { coverage, affected, artifacts } = assessment
      const assessed = assess(assessment, catalog)
      const projectIds = Object.keys(artifacts).map(Number)
      yield { run, seenAt: formatTimestamp(at), coverage, affected, projectIds, assessed }
    }
  }
}

/** Cached catalog facts about some projects, with assessments based on them. */
interface KeptCatalog {
  date: string
  projects: KnownProject[]
  judge: ReturnType<typeof createJudge>
  /** Kept as long as the assessments of the runs are in memory. */
  assessed: WeakMap<RunAssessment, AssessedItem[]>
}

/** Cache: reading and evaluating the facts takes most of a query. */
const kept = keptByCatalog<KeptCatalog>(4)
const keepable: readonly FindAdvisories[] = [withoutAdvisories, findKnownAdvisories]

async function findKeptCatalog(
  db: Db,
  projectIds: number[],
  { now, findAdvisories }: { now: number; findAdvisories: FindAdvisories },
) {
  const make = async (): Promise<KeptCatalog> => {
    const { kubernetes, distributions } = await findDistributions(db)
    const measured = kubernetes !== undefined && projectIds.includes(kubernetes) ? distributions.values() : []
    const known = await findKnownProjectsById(db, [...new Set([...projectIds, ...measured])])
    const view = await toView(db, known, now, findAdvisories)
    const projects = known.filter(({ id }) => projectIds.includes(id))
    return { date: view.date, projects, judge: createJudge(prepareCatalog(view, now)), assessed: new WeakMap() }
  }
  const kind = keepable.indexOf(findAdvisories)
  if (kind < 0) return make()
  return kept(db, { key: `${kind} ${projectIds.toSorted((a, b) => a - b).join()}`, now }, make)
}

function assess(assessment: RunAssessment, { projects, judge, assessed }: KeptCatalog) {
  return remember(assessed, assessment, () =>
    projects
      .flatMap((project) => toFoundArtifacts(assessment, project.id).map((found) => ({ found, project })))
      .sort((a, b) => a.found.position - b.found.position)
      .map(({ found, project }) => judge(found, project)),
  )
}

/** Adds Kubernetes if a distribution is wanted, because its releases concern the clusters that run it. */
async function withKubernetes(db: Db, projectIds: Iterable<number>) {
  const wanted = new Set(projectIds)
  const { kubernetes, distributions } = await findDistributions(db)
  if (kubernetes !== undefined && distributions.values().some((id) => wanted.has(id))) wanted.add(kubernetes)
  return wanted
}

const knownPlaces = new WeakMap<AssessedItem['places'], { namespaces: string[]; workloads: string[] }>()

/** Places without duplicates, sorted. Shared between calls: do not modify them. */
export function placesFor(places: AssessedItem['places']) {
  return remember(knownPlaces, places, () => ({
    namespaces: [...new Set(places.flatMap(({ namespace }) => namespace ?? []))].sort(),
    workloads: workloadsFor({ places }),
  }))
}
