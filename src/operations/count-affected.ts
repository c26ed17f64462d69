import type { Dashboard } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { CoverageCount } from '../freshness/index.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { findRunningArtifacts, type RunningQuery } from './running-artifacts.ts'

/** How much of what runs in the owner's clusters an advisory affects, by the latest run of each. */
export async function countAffected(db: Db, asking: RunningQuery): Promise<NonNullable<Dashboard['affected']>> {
  const running = await findRunningArtifacts(db, asking, findKnownAdvisories)
  const clusters = new Set<string>()
  const counts = { artifacts: 0, critical: 0, high: 0, known: 0 }
  const coverage = new CoverageCount()
  for (const { run, assessed } of running.runs) {
    coverage.add(assessed)
    for (const { security } of assessed) {
      if (!security) continue
      counts.known++
      const [worst] = security.advisories
      if (!worst) continue
      clusters.add(run.run_id)
      counts.artifacts++
      if (worst.severity === 'critical' || worst.severity === 'high') counts[worst.severity]++
    }
  }
  const { artifacts, advisories_known = 0, advisory_facts_at = null } = coverage.result()
  return { clusters: clusters.size, ...counts, coverage: { artifacts, advisories_known, advisory_facts_at } }
}
