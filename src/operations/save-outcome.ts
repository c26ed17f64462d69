import type { Outcome } from '../collectors/collector.ts'
import type { Db } from '../db/open.ts'
import { type Saved, saveCollected } from '../store/collected-release.ts'
import { saveCycles } from '../store/cycle.ts'
import { saveProjectAdvisories } from '../store/project-advisory.ts'
import type { TrackedProject } from '../store/source.ts'
import { updateKnownSecurity, withKnownSecurity } from './known-security.ts'

type Changed = Extract<Outcome, { kind: 'changed' }>

/** Saves what a source returned: releases, advisories or release cycles. */
export async function saveOutcome(trx: Db, project: TrackedProject, found: Changed, now: number): Promise<Saved> {
  const { releases, advisories, cycles } = found
  if (cycles) {
    await saveCycles(trx, project.id, cycles)
    return { added: 0, updated: 0, news: [] }
  }
  if (!advisories) return saveCollected(trx, project.id, await withKnownSecurity(trx, project, releases), now)
  await saveProjectAdvisories(trx, project.id, advisories)
  return updateKnownSecurity(trx, project)
}
