import type { Db } from '../../db/open.ts'
import { templatesWithRows } from '../../reports/at-rest.ts'
import { withoutCarried } from '../../reports/carry-over.ts'
import { findRunBefore } from '../../store/runs/list-runs.ts'
import { getKind } from '../../store/runs/series.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import type { UnixSeconds } from '../../util/time.ts'
import type { Vault } from '../keys/vault.ts'
import { openFindings } from './open-findings.ts'

/**
 * Whether a run adds to an earlier one of its series: both are of one CI build, whose jobs upload a part each. A cluster may
 * have changed between two scans of one build, so that the later one stands for it.
 */
export async function addsTo(db: Db, before: StoredRun, { run, seriesId }: StoredRun): Promise<boolean> {
  const build = run.ci?.build_url
  return build !== undefined && before.run.ci?.build_url === build && (await getKind(db, seriesId)) !== 'cluster'
}

/**
 * The last run of the series before the build of this one; with `since`, the last run until then, which may be the run
 * itself.
 */
export async function findRunBeforeBuild(db: Db, run: StoredRun, since?: UnixSeconds): Promise<StoredRun | undefined> {
  if (since !== undefined && run.at <= since) return run
  let before = await findRunBefore(db, since === undefined ? run : { ...run, at: since + 1, id: 0 })
  while (before && (await addsTo(db, before, run))) before = await findRunBefore(db, before)
  return before
}

/**
 * Warns that one name may stand for two things: the run adds to another upload of its build, and no place with a finding is
 * in both.
 */
export async function warnApart(db: Db, vault: Vault, run: StoredRun): Promise<string[]> {
  const before = await findRunBefore(db, run)
  if (!before || !(await addsTo(db, before, run))) return []
  const [own, others] = [withoutCarried(await openFindings(db, vault, run)), await openFindings(db, vault, before)]
  const [here, there] = [await templatesWithRows(own), await templatesWithRows(withoutCarried(others))]
  if (here.size === 0 || there.size === 0 || !here.isDisjointFrom(there)) return []
  return [
    `Another upload of this build is about ${own.subjects[0]!.name} as well, and no place is in both. If they are about two things, name each with --subject.`,
  ]
}
