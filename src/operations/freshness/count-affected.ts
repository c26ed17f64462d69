import type { Dashboard } from '../../contract/subscription.ts'
import type { Db } from '../../db/open.ts'
import { CoverageCount } from '../../freshness/index.ts'
import { findRunningArtifacts, type RunningQuery } from './running-artifacts.ts'

/** How much of what runs in the owner's clusters an advisory affects, by the latest run of each. */
export async function countAffected(db: Db, asking: RunningQuery): Promise<NonNullable<Dashboard['affected']>> {
  const { runs } = await findRunningArtifacts(db, asking, { projectIds: [] })
  const counts = { clusters: 0, artifacts: 0, critical: 0, high: 0, known: 0 }
  const total = new CoverageCount()
  for (const { affected, coverage } of runs) {
    total.merge(coverage)
    if (affected.artifacts > 0) counts.clusters++
    counts.artifacts += affected.artifacts
    counts.critical += affected.critical
    counts.high += affected.high
    counts.known += affected.known
  }
  const { artifacts, advisories_known = 0, advisory_facts_at = null } = total.result()
  return { ...counts, coverage: { artifacts, advisories_known, advisory_facts_at } }
}
