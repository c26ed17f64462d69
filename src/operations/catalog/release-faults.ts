import type { Db } from '../../db/open.ts'
import type { StateFacts } from '../../freshness/facts/state-facts.ts'
import { compileTagPattern } from '../../freshness/tag-pattern.ts'
import { parseVersion } from '../../freshness/versions.ts'
import { updateLatest } from '../../store/catalog/bundled.ts'
import { type JudgedRelease, listJudgedReleases, saveFault } from '../../store/catalog/release-fault.ts'

/**
 * Marks faulty releases, which nobody should install, so that no list recommends them. For all projects, or for one with new
 * releases.
 */
export async function markFaults(trx: Db, facts: StateFacts, projectId?: number) {
  const { slugs, charts } = facts.faulty()
  const changed = new Set<number>()
  for (const release of await listJudgedReleases(trx, { slugs, charts, projectId })) {
    const fault = findFault(release, facts)
    if (fault === release.fault) continue
    await saveFault(trx, release.id, fault)
    changed.add(release.projectId)
  }
  if (changed.size > 0) await updateLatest(trx, [...changed])
}

function findFault({ slug, type, chartName, version: text, tagPattern }: JudgedRelease, facts: StateFacts) {
  const isChart = type === 'helm' || chartName !== ''
  const find = isChart ? facts.faultsOfChart(chartName) : facts.faultsOfProject(slug)
  return find?.(text, parseVersion(text, isChart ? undefined : compileTagPattern(tagPattern)))?.kind ?? null
}
