import type { CollectOutcome, Source } from '../../collectors/collector.ts'
import type { Db } from '../../db/open.ts'
import { saveAdvisoriesFor } from '../../store/catalog/catalog-advisory.ts'
import { saveCollected } from '../../store/catalog/collected-release.ts'
import { saveCycles } from '../../store/catalog/cycle.ts'
import { saveProjectAdvisories } from '../../store/catalog/project-advisory.ts'
import type { TrackedProject } from '../../store/catalog/source.ts'
import { findFacts } from '../facts/state-facts.ts'
import { updateCompleteness } from './completeness.ts'
import { saveDeprecatedCharts } from './deprecated-charts.ts'
import { updateKnownSecurity, withKnownSecurity } from './known-security.ts'
import { markFaults } from './release-faults.ts'

/** Saves a source's response: releases, advisories or release cycles. */
export async function saveOutcome(
  trx: Db,
  project: TrackedProject,
  found: Extract<CollectOutcome, { kind: 'changed' }>,
  { source, now }: { source: Pick<Source, 'kind'>; now: number },
) {
  const { releases, isWhole, advisories, catalogAdvisories, cycles } = found
  if (cycles) {
    await saveCycles(trx, project.id, cycles)
    return { added: 0, updated: 0, news: [] }
  }
  if (catalogAdvisories) {
    await saveAdvisoriesFor(trx, project.id, source.kind === 'advisories' ? 'github' : 'osv', catalogAdvisories)
  }
  if (advisories) await saveProjectAdvisories(trx, project.id, advisories)
  if (catalogAdvisories || advisories) return updateKnownSecurity(trx, project)
  const saved = await saveCollected(trx, project.id, await withKnownSecurity(trx, project, releases), now)
  if (saved.added > 0) await markFaults(trx, await findFacts(trx), project.id)
  if (source.kind === 'helm' || source.kind === 'oci') await saveDeprecatedCharts(trx, project, { releases, now })
  if (source.kind === 'github' || isWhole) {
    await updateCompleteness(trx, project, { releases, added: saved.added, isWhole })
  }
  return saved
}
