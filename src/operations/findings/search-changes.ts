import type { RunFindings } from '../../reports/run-findings.ts'
import type { RunChanges } from '../../store/findings/scanner-change.ts'
import type { LookedAt } from './candidates.ts'
import { allNew, type ChangeState, findNews, findRunsSince, keyAt, storedStates } from './run-changes.ts'
import type { SearchPlan } from './search-plan.ts'

export interface StateChanges {
  /** Key: stored fingerprint. */
  states: Map<string, ChangeState>
  incomparable: number
}

/** What is new in a run since the time of the plan. */
export async function toChanges(
  plan: Pick<SearchPlan, 'db' | 'vault' | 'since' | 'whole' | 'open'> & { changes: ReadonlyMap<number, RunChanges> },
  run: LookedAt,
): Promise<StateChanges> {
  const { db, vault, since } = plan
  const { id } = run.stored
  const found = plan.whole.has(id)
    ? allNew((await plan.open(run)).index)
    : (plan.changes.get(id) ?? (await findNews(db, vault, await findRunsSince(db, id, since))))
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
