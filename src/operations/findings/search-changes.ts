import type { RunFindings } from '../../reports/run-findings.ts'
import type { RunChanges } from '../../store/findings/scanner-change.ts'
import type { LookedAt } from './candidates.ts'
import { type ChangeState, findNews, findRunsSince, keyAt, storedStates } from './run-changes.ts'
import type { SearchPlan } from './search-plan.ts'

export interface StateChanges {
  /** Key: stored fingerprint. */
  states: Map<string, ChangeState>
  incomparable: number
}

/** What is new in a run since the time of the plan. */
export async function toChanges(
  {
    db,
    vault,
    since,
    changes,
  }: Pick<SearchPlan, 'db' | 'vault' | 'since'> & {
    changes: ReadonlyMap<number, RunChanges>
  },
  { stored }: LookedAt,
): Promise<StateChanges> {
  const found = changes.get(stored.id) ?? (await findNews(db, vault, await findRunsSince(db, stored.id, since)))
  return { states: storedStates(found), incomparable: found.incomparable }
}

/** Keeps offsets of records in the requested states. */
export function inStates(
  { states }: SearchPlan,
  changes: StateChanges,
  { index: { records } }: RunFindings,
  offsets: number[],
): number[] {
  return offsets.filter((at) => {
    const state = changes.states.get(keyAt(records, at))
    return state !== undefined && states.has(state)
  })
}
