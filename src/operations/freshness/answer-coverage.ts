import type { AnswerCoverage } from '../../contract/answer-coverage.ts'
import type { Db } from '../../db/open.ts'
import { listProjectFacts, type ProjectFacts } from '../../store/catalog/project-facts.ts'
import { listLatestRuns } from '../../store/runs/latest-run.ts'
import { formatTimestamp } from '../../util/time.ts'
import { getCatalogDate } from '../catalog/bundled.ts'
import { daysOfReleases } from '../catalog/stale-projects.ts'
import type { ExposureSummary } from './find-exposures.ts'

interface Basis {
  /** Day of the oldest facts about these projects. */
  catalog_date: string
  looked_at: AnswerCoverage
}

/** Coverage of a response about subscriptions to these projects. */
export async function basisOfSubscriptions(db: Db, ids: number[], now: number): Promise<Basis> {
  const facts = await listProjectFacts(db, ids)
  const date = await getCatalogDate(db, now)
  return {
    catalog_date: (await daysOfReleases(db, facts, now)).sort()[0] ?? date,
    looked_at: { subscriptions: ids.length, ...countFacts(facts) },
  }
}

/** Coverage of a response about all running artifacts. */
export async function basisOfExposures(db: Db, { catalogDate, projectIds, clusters }: ExposureSummary): Promise<Basis> {
  const facts = await listProjectFacts(db, projectIds)
  return { catalog_date: catalogDate, looked_at: { ...countFacts(facts), clusters } }
}

/** The latest run of each cluster, without its content. */
export async function listSeenClusters(db: Db, ownerId: number): Promise<NonNullable<AnswerCoverage['clusters']>> {
  return (await listLatestRuns(db, ownerId)).map(({ run, at, artifacts }) => ({
    cluster_name: run.cluster_name,
    environment: run.environment,
    run_id: run.run_id,
    seen_at: formatTimestamp(at),
    artifacts,
  }))
}

function countFacts(facts: ProjectFacts[]) {
  return { projects: facts.length, security_known: facts.filter(({ hasSecurity }) => hasSecurity).length }
}
