import type { Run } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import { type Assessed, assessArtifacts, lookupKeys, prepareCatalog } from '../freshness/index.ts'
import type { Artifacts } from '../reports/artifact.ts'
import { findKnownProjects } from '../store/project.ts'
import { findKnownReleases } from '../store/release.ts'
import { listLatestRuns } from '../store/run.ts'
import { getParts } from '../store/run-part.ts'
import { getCatalogDate } from './catalog.ts'
import { readContext } from './run-context.ts'
import type { Vault } from './vault.ts'

export interface Asking {
  userId: number
  vault: () => Promise<Vault>
  /** Unix seconds. */
  now: number
}

export interface Running {
  catalogDate: string
  runs: { run: Run; at: number; assessed: Assessed[] }[]
}

/** What runs in each of the user's clusters, as its latest run tells, against the catalog as it is now. */
export async function findRunning(db: Db, { userId, vault, now }: Asking): Promise<Running> {
  const date = await getCatalogDate(db, now)
  const stored = await listLatestRuns(db, userId)
  if (stored.length === 0) return { catalogDate: date, runs: [] }
  const parts = await getParts(
    db,
    stored.map(({ id }) => id),
    'context',
  )
  const opened = await vault()
  const runs = stored.map(({ id, run, at }) => ({
    run,
    at,
    artifacts: readContext(opened, run.run_id, parts.get(id)!).artifacts,
  }))
  const projects = await findKnownProjects(db, lookupKeys(together(runs.map(({ artifacts }) => artifacts))))
  const releases = await findKnownReleases(
    db,
    projects.map(({ id }) => id),
  )
  const known = prepareCatalog({ date, projects, releasesOf: (id) => releases.get(id) ?? [] }, now)
  return {
    catalogDate: date,
    runs: runs.map(({ run, at, artifacts }) => ({ run, at, assessed: assessArtifacts(artifacts, known) })),
  }
}

/** Sorted, each once; workloads as `namespace/kind/name`. */
export function placesOf(places: Assessed['places']): { namespaces: string[]; workloads: string[] } {
  const namespaces = places.flatMap(({ namespace }) => namespace ?? [])
  const workloads = places.flatMap(({ namespace, workload }) => {
    return workload === null ? [] : [namespace === null ? workload : `${namespace}/${workload}`]
  })
  return { namespaces: [...new Set(namespaces)].sort(), workloads: [...new Set(workloads)].sort() }
}

function together(all: Artifacts[]): Pick<Artifacts, 'images' | 'charts' | 'apps'> {
  return {
    images: all.flatMap(({ images }) => images),
    charts: all.flatMap(({ charts }) => charts),
    apps: all.flatMap(({ apps }) => apps),
  }
}
