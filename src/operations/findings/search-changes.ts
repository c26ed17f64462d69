import { compareRuns } from '../../reports/compare.ts'
import type { RunFindings } from '../../reports/run-findings.ts'
import type { RunChanges } from '../../store/findings/scanner-change.ts'
import { findKnownFingerprints } from '../../store/runs/finding-history.ts'
import { getRunById } from '../../store/runs/run.ts'
import { findRunBeforeBuild } from '../runs/build.ts'
import { openBefore } from '../runs/open-findings.ts'
import type { LookedAt } from './candidates.ts'
import { type ChangeState, keyAt, storedStates, toStates } from './run-changes.ts'
import type { SearchPlan } from './search-plan.ts'

/** Changes since the previous run. */
export interface StateChanges {
  /** Key: stored fingerprint. */
  states: Map<string, ChangeState>
  incomparable: number
}

/** Changes since the previous run of the same scanner; undefined if there is none. */
export async function toChanges(
  { db, vault, changes: known }: Pick<SearchPlan, 'db' | 'vault'> & { changes: ReadonlyMap<number, RunChanges> },
  { stored }: LookedAt,
  findings: RunFindings,
): Promise<StateChanges | undefined> {
  const own = known.get(stored.id)
  if (own) return { states: storedStates(own), incomparable: own.incomparable }
  const before = await findRunBeforeBuild(db, await getRunById(db, stored.id))
  if (!before) return undefined
  const difference = await compareRuns(await openBefore(db, vault, before), findings, (fingerprints) =>
    findKnownFingerprints(db, stored, vault.hideFingerprints(fingerprints)),
  )
  return { states: toStates(vault, difference), incomparable: difference.incomparableCount }
}

/** Keeps offsets of records in the requested states. */
export function inStates(
  { states }: SearchPlan,
  changes: StateChanges | undefined,
  { index: { records } }: RunFindings,
  offsets: number[],
): number[] {
  return offsets.filter((at) => {
    const state = changes?.states.get(keyAt(records, at))
    return state !== undefined && states.has(state)
  })
}
