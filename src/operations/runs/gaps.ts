import type { Run } from '../../contract/cluster-report.ts'
import type { Db } from '../../db/open.ts'
import { findMissed, withFaults, without } from '../../reports/missed.ts'
import type { Look } from '../../reports/run-findings.ts'
import { describeLook } from '../../reports/run-ledger.ts'
import { toCheckNotRun } from '../../reports/run-record.ts'
import { scoreFloor } from '../../reports/score-floor.ts'
import { findRunBefore } from '../../store/runs/list-runs.ts'
import type { StoredRun } from '../../store/runs/stored-run.ts'
import type { Vault } from '../keys/vault.ts'
import { openContext } from './context.ts'
import { openGuidance } from './guidance.ts'

/** The columns of a run about what it did not read. */
export interface GapColumns {
  scope_gaps: number
  gaps_key: string
  known_faults: number
}

type KnownLook = Look & { known?: Look | undefined; droppedBy?: string | undefined }

/** The key is a hash, because ids of checks may contain names of resources. */
export function gapColumns(vault: Vault, look: KnownLook): GapColumns {
  const { notRun: _, ...missed } = findMissed(look)
  const notRun = look.checksNotRun.map(({ id }) => id).sort()
  const scope_gaps = Object.values(missed).reduce((sum, { length }) => sum + length, 0)
  const { droppedBy } = look
  const key = () =>
    vault.keyedHash('score-gaps', JSON.stringify({ ...missed, notRun, droppedBy })).toString('hex', 0, 8)
  return {
    scope_gaps,
    gaps_key: scope_gaps + notRun.length === 0 && !droppedBy ? '' : key(),
    known_faults: faultsIn(look).filter(({ fault }) => fault !== undefined).length,
  }
}

const faultsIn = (look: KnownLook) => withFaults(look.checksNotRun, findMissed(look))

/** What a run looked at, what it missed of that of earlier runs, and the checks that did not run. */
export async function describeScope(
  db: Db,
  vault: Vault,
  stored: StoredRun,
): Promise<
  Pick<Run, 'scanner' | 'subjects' | 'checks_not_run' | 'first_seen_checks' | 'missing_checks' | 'score_floor'>
> {
  const { run } = stored
  const context = await openContext(db, vault, stored.id, run.run_id)
  const before = await findRunBefore(db, stored)
  const earlier = before && (await openContext(db, vault, before.id, before.run.run_id)).scope.checkIds
  const { checkIds } = context.scope
  const only = (one: string[], other: string[]) => without(one, new Set(other))
  return {
    scanner: run.format,
    subjects: describeLook(context),
    checks_not_run: faultsIn(context).map(toCheckNotRun),
    first_seen_checks: earlier && checkIds ? only(checkIds, earlier) : null,
    missing_checks: earlier && checkIds ? only(earlier, checkIds) : null,
    ...scoreFloor(run.score, await openGuidance(db, vault, stored), context),
  }
}
