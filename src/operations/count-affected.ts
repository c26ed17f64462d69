import type { Dashboard } from '../contract/subscription.ts'
import type { Db } from '../db/open.ts'
import { findKnownAdvisories } from './known-advisories.ts'
import { findRunningArtifacts, type RunningQuery } from './running-artifacts.ts'

/** How much of what runs in the owner's clusters an advisory affects, by the latest run of each. */
export async function countAffected(db: Db, asking: RunningQuery): Promise<NonNullable<Dashboard['affected']>> {
  const running = await findRunningArtifacts(db, asking, findKnownAdvisories)
  const clusters = new Set<string>()
  const counts = { artifacts: 0, critical: 0, high: 0, known: 0 }
  for (const { run, assessed } of running.runs) {
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
  return { clusters: clusters.size, ...counts }
}
