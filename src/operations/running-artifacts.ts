import type { Run } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import { type AssessedItem, type CoverageState, FoundArtifacts, prepareCatalog } from '../freshness/index.ts'
import { findKnownProjectsById } from '../store/project.ts'
import { listLatestRuns } from '../store/run.ts'
import { formatTimestamp } from '../util/time.ts'
import { type FindAdvisories, viewOf } from './catalog-view.ts'
import { withoutAdvisories } from './known-advisories.ts'
import { findAssessments, foundArtifactsOf, type RunAssessment } from './run-assessment.ts'
import type { Vault } from './vault.ts'

export interface RunningQuery {
  ownerId: number
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

export interface AssessedRun {
  run: Run
  /** Time of the scan, in the wire's format. */
  seenAt: string
  /** Of all its artifacts. */
  coverage: CoverageState
  affected: RunAssessment['affected']
  /** Of all its artifacts: days of the facts about their releases. */
  days: string[]
  /** Of all its artifacts. */
  projectIds: number[]
  /** The artifacts of the projects in question. */
  assessed: AssessedItem[]
}

export interface RunningArtifacts {
  catalogDate: string
  /** How many there are. */
  count: number
  /** Assessed one by one: together they fill the memory. */
  runs: Iterable<AssessedRun>
}

interface Wanted {
  /** Projects whose artifacts are assessed; all when not given. */
  projectIds?: Iterable<number> | undefined
  findAdvisories?: FindAdvisories
}

/** Artifacts of the latest run of each of the owner's clusters, assessed against the present catalog. */
export async function findRunningArtifacts(
  db: Db,
  { ownerId, vault, now }: RunningQuery,
  { projectIds, findAdvisories = withoutAdvisories }: Wanted = {},
): Promise<RunningArtifacts> {
  const stored = await listLatestRuns(db, ownerId)
  const assessments = await findAssessments(db, stored, { vault, now })
  const running = new Set(assessments.flatMap(({ artifacts }) => Object.keys(artifacts).map(Number)))
  const wanted = projectIds ? new Set(projectIds).intersection(running) : running
  const projects = await findKnownProjectsById(db, [...wanted])
  const catalog = await viewOf(db, projects, now, findAdvisories)
  const judge = new FoundArtifacts(prepareCatalog(catalog, now))
  return { catalogDate: catalog.date, count: stored.length, runs: assessEach() }

  function* assessEach(): Generator<AssessedRun> {
    for (const [index, { run, at }] of stored.entries()) {
      const assessment = assessments[index]!
      const { coverage, affected, days, artifacts } = assessment
      const assessed = projects
        .flatMap((project) => foundArtifactsOf(assessment, project.id).map((found) => ({ found, project })))
        .sort((a, b) => a.found.position - b.found.position)
        .map(({ found, project }) => judge.judge(found, project))
      const projectIds = Object.keys(artifacts).map(Number)
      yield { run, seenAt: formatTimestamp(at), coverage, affected, days, projectIds, assessed }
    }
  }
}

/** Sorted, each once; workloads as `namespace/kind/name`. */
export function placesOf(places: AssessedItem['places']): { namespaces: string[]; workloads: string[] } {
  const namespaces = places.flatMap(({ namespace }) => namespace ?? [])
  const workloads = places.flatMap(({ namespace, workload }) => {
    return workload === null ? [] : [namespace === null ? workload : `${namespace}/${workload}`]
  })
  return { namespaces: [...new Set(namespaces)].sort(), workloads: [...new Set(workloads)].sort() }
}
