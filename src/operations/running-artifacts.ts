import type { Run } from '../contract/cluster-report.ts'
import type { Db } from '../db/open.ts'
import {
  type AssessedItem,
  assessArtifacts,
  type CatalogFacts,
  lookupKeys,
  prepareCatalog,
} from '../freshness/index.ts'
import type { Artifacts } from '../reports/artifact.ts'
import { listLatestRuns } from '../store/run.ts'
import { getParts } from '../store/run-part.ts'
import { formatTimestamp } from '../util/time.ts'
import { type FindAdvisories, findCatalog } from './catalog-view.ts'
import { withoutAdvisories } from './known-advisories.ts'
import { readContext } from './run-context.ts'
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
  assessed: AssessedItem[]
}

export interface RunningArtifacts {
  catalogDate: string
  /** How many there are. */
  count: number
  /** Assessed one by one: together they fill the memory. */
  runs: Iterable<AssessedRun>
}

/** Artifacts of the latest run of each of the owner's clusters, assessed against the present catalog. */
export async function findRunningArtifacts(
  db: Db,
  { ownerId, vault, now }: RunningQuery,
  findAdvisories: FindAdvisories = withoutAdvisories,
): Promise<RunningArtifacts> {
  const stored = await listLatestRuns(db, ownerId)
  const parts = await getParts(
    db,
    stored.map(({ id }) => id),
    'context',
  )
  const runs = await Promise.all(
    stored.map(async ({ id, run, at }) => ({
      run,
      seenAt: formatTimestamp(at),
      artifacts: readContext(await vault(), run.run_id, parts.get(id)!).artifacts,
    })),
  )
  const keys = lookupKeys(mergeArtifacts(runs.map(({ artifacts }) => artifacts)))
  const catalog = await findCatalog(db, keys, now, findAdvisories)
  return { catalogDate: catalog.date, count: runs.length, runs: assessEach(runs, prepareCatalog(catalog, now)) }
}

function* assessEach(
  runs: (Pick<AssessedRun, 'run' | 'seenAt'> & { artifacts: Artifacts })[],
  known: CatalogFacts,
): Generator<AssessedRun> {
  for (const { run, seenAt, artifacts } of runs) {
    yield { run, seenAt, assessed: assessArtifacts(artifacts, known) }
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

/** As if all ran in one cluster: enough to ask the catalog. */
export function mergeArtifacts(all: Artifacts[]): Pick<Artifacts, 'images' | 'charts' | 'apps'> {
  return {
    images: all.flatMap(({ images }) => images),
    charts: all.flatMap(({ charts }) => charts),
    apps: all.flatMap(({ apps }) => apps),
  }
}
